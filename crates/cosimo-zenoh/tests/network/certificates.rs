//! Certificates of both ends.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::conformance::TwoMasses;
use cosimo_zenoh::{Network, Settings, ZenohSubsystem};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use super::{KEY, PATIENCE, free_port, settings, take_step};

/// Who signs certificates.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    file: PathBuf,
}

impl Authority {
    fn named(name: &str, folder: &Path) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        let file = folder.join(format!("{name}.pem"));
        std::fs::write(&file, params.self_signed(&key).unwrap().pem()).unwrap();
        Self { issuer: Issuer::new(params, key), file }
    }

    /// A configuration of zenoh with a certificate that it has signed, for one end; the other end shows one of `trusted`.
    fn configuration(&self, name: &str, folder: &Path, trusted: &Self, shows_own: bool) -> PathBuf {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let [certificate_file, key_file, file] =
            ["crt", "key", "json5"].map(|end| folder.join(format!("{name}.{end}")));
        std::fs::write(&certificate_file, certificate.pem()).unwrap();
        std::fs::write(&key_file, key.serialize_pem()).unwrap();
        let own = format!("certificate: {certificate_file:?}, END_private_key: {key_file:?}");
        let [listen, connect] =
            ["listen", "connect"].map(|end| format!("{end}_{},", own.replace("END", end)));
        let (mutual, ends) = if shows_own { (true, listen + &connect) } else { (false, listen) };
        let text = format!(
            "{{ transport: {{ link: {{ tls: {{ enable_mtls: {mutual}, root_ca_certificate: {:?}, {ends} }} }} }} }}",
            trusted.file
        );
        std::fs::write(&file, text).unwrap();
        file
    }
}

fn reach(settings: &Settings, deadline: Duration) -> Result<(Network, ZenohSubsystem), SubsystemError> {
    let network = Network::open(settings).unwrap();
    let far = network.remote("masses", KEY).deadline(deadline).connect()?;
    Ok((network, far))
}

#[test]
fn both_ends_show_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (ours, theirs) = (Authority::named("ours", folder), Authority::named("theirs", folder));
    let port = free_port();
    let at = format!("tls/localhost:{port}");
    // To every machine: it asks for certificates.
    let listening = settings().listen(&format!("tls/0.0.0.0:{port}"));
    let served = Network::open(&listening.file(ours.configuration("server", folder, &ours, true))).unwrap();
    let offering = served.clone();
    std::thread::spawn(move || offering.offer(KEY, |_| Ok(Box::new(TwoMasses::default()))));

    let with = |file: PathBuf| settings().connect(&at).file(file);
    let right = with(ours.configuration("right", folder, &ours, true));
    let (_network, mut far) = reach(&right, PATIENCE).unwrap();
    let mut near = TwoMasses::default();
    (0..20).for_each(|index| take_step(&mut near, &mut far, index));

    let short = Duration::from_secs(2);
    for wrong in [
        with(theirs.configuration("of-another", folder, &ours, true)),
        with(ours.configuration("with-none", folder, &ours, false)),
        with(ours.configuration("of-another-server", folder, &theirs, true)),
        settings().connect(&format!("tcp/127.0.0.1:{port}")),
    ] {
        let error = reach(&wrong, short).unwrap_err();
        assert!(error.to_string().contains("nobody offers it"), "{error}");
    }
    // It has noticed nothing of them.
    (20..40).for_each(|index| take_step(&mut near, &mut far, index));
    served.close().unwrap();
}
