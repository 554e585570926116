//! Floating-point numbers with 17 significant digits.

use std::io::Write;

/// Appends `value` with 17 significant digits, `d.dddddddddddddddde±x`: the same text as `{:.16e}`, correctly rounded,
/// and several times faster.
///
/// With `value = m 2^e` the digits are the integer nearest to `m 2^e 10^q`, where `q` puts it between 10¹⁶ and 10¹⁷.
/// The product is formed to 116 bits with a power of ten that is accurate to 117, so about 60 bits behind the point
/// are known. Where these do not decide the rounding, the standard library does.
pub(crate) fn push_number(value: f64, out: &mut Vec<u8>) {
    let Some((digits, exponent)) = decimal(value.abs()) else {
        // Writing to a vector cannot fail.
        let _ = write!(out, "{value:.16e}");
        return;
    };
    let mut text = [0; 25];
    let mut length = 0;
    if value.is_sign_negative() {
        text[0] = b'-';
        length = 1;
    }
    let (leading, tail) = (digits / PLACES, digits % PLACES);
    text[length] = b'0' + leading as u8;
    text[length + 1] = b'.';
    push_eight(tail / 100_000_000, &mut text[length + 2..length + 10]);
    push_eight(tail % 100_000_000, &mut text[length + 10..length + 18]);
    text[length + 18] = b'e';
    length += 19;
    if exponent < 0 {
        text[length] = b'-';
        length += 1;
    }
    length += push_small(exponent.unsigned_abs(), &mut text[length..]);
    out.extend_from_slice(&text[..length]);
}

/// One more than the largest 16-digit number.
const PLACES: u64 = 10_000_000_000_000_000;
/// Distance from a half (2⁻⁶⁰ or so) within which the rounding is undecided; the error of the product is below 4.
const UNDECIDED: u128 = 8;
/// `log10(2)` in 32 fractional bits.
const LOG10_2: i64 = 1_292_913_986;
/// `log2(10)` in 32 fractional bits.
const LOG2_10: i64 = 14_267_572_527;
/// Least and largest power of ten that a normal number needs.
const LEAST: i32 = -292;
const LARGEST: i32 = 324;

/// Powers of ten, normalised: `10^q = POWERS[q − LEAST] 2^(⌊q log2 10⌋ − 127)` but for the last few bits.
static POWERS: [u128; (LARGEST - LEAST + 1) as usize] = powers();

const fn powers() -> [u128; (LARGEST - LEAST + 1) as usize] {
    const TOP: u128 = 1 << 127;
    let mut powers = [TOP; (LARGEST - LEAST + 1) as usize];
    let one = -LEAST as usize;
    let mut index = one + 1;
    while index < powers.len() {
        let (sum, overflows) = powers[index - 1].overflowing_add(powers[index - 1] >> 2);
        powers[index] = if overflows { TOP | (sum >> 1) } else { sum };
        index += 1;
    }
    let mut index = one;
    while index > 0 {
        let (fifth, rest) = (powers[index] / 5, powers[index] % 5);
        let four_fifths = fifth * 4 + rest * 4 / 5;
        powers[index - 1] = if four_fifths < TOP { fifth * 8 + rest * 8 / 5 } else { four_fifths };
        index -= 1;
    }
    powers
}

/// The 17 digits of a positive normal number and its decimal exponent; nothing if they are undecided.
fn decimal(value: f64) -> Option<(u64, i32)> {
    let bits = value.to_bits();
    let biased = (bits >> 52) as i32;
    if biased == 0 || biased == 0x7ff {
        return None;
    }
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let exponent = biased - 1075;
    let mut place = ((i64::from(exponent + 52) * LOG10_2) >> 32) as i32;
    let (mut product, mut shift) = times_power_of_ten(mantissa, exponent, 16 - place);
    if product >> shift >= u128::from(10 * PLACES) {
        place += 1;
        (product, shift) = times_power_of_ten(mantissa, exponent, 16 - place);
    }
    let half = 1 << (shift - 1);
    let fraction = product & ((1 << shift) - 1);
    if fraction.abs_diff(half) <= UNDECIDED {
        return None;
    }
    let digits = (product >> shift) as u64 + u64::from(fraction > half);
    Some(if digits == 10 * PLACES { (PLACES, place + 1) } else { (digits, place) })
}

/// `mantissa 2^exponent 10^q` as `product 2^−shift`.
fn times_power_of_ten(mantissa: u64, exponent: i32, q: i32) -> (u128, u32) {
    let power = POWERS[(q - LEAST) as usize];
    let mantissa = u128::from(mantissa);
    let product = mantissa * (power >> 64) + ((mantissa * (power & u128::from(u64::MAX))) >> 64);
    let power_exponent = ((i64::from(q) * LOG2_10) >> 32) as i32 - 127;
    (product, (-(exponent + power_exponent + 64)) as u32)
}

fn push_eight(mut number: u64, out: &mut [u8]) {
    for digit in out.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// Writes a number below 1000 without leading zeros and returns its length.
fn push_small(number: u32, out: &mut [u8]) -> usize {
    let length = if number >= 100 { 3 } else { 1 + usize::from(number >= 10) };
    push_eight(number.into(), &mut out[..length]);
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        push_number(value, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn assert_same_as_standard(value: f64) {
        let expected = format!("{value:.16e}");
        assert_eq!(text(value), expected, "bits {:#x}", value.to_bits());
        if !value.is_nan() {
            assert_eq!(expected.parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn special_numbers_are_those_of_the_standard_library() {
        for value in [0.0, 1.0, 10.0, 0.1, 0.5, 1e15, 1e16, 1e17, 123456.0, 1e22, 1e23] {
            assert_same_as_standard(value);
            assert_same_as_standard(-value);
        }
        for value in [f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e-310, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
        {
            assert_same_as_standard(value);
        }
        assert_eq!(text(0.1), "1.0000000000000001e-1");
    }

    #[test]
    fn powers_of_two_and_ten_and_their_neighbours_round_correctly() {
        for exponent in -1022..1024 {
            let value = 2.0_f64.powi(exponent);
            for neighbour in [value.next_down(), value, value.next_up()] {
                assert_same_as_standard(neighbour);
            }
        }
        for exponent in -307..309 {
            let value: f64 = format!("1e{exponent}").parse().unwrap();
            for neighbour in [value.next_down(), value, value.next_up()] {
                assert_same_as_standard(neighbour);
            }
        }
    }

    /// Steele and Vigna's SplitMix64, to try bit patterns of every magnitude.
    #[test]
    fn arbitrary_bits_round_correctly() {
        let mut state = 1_u64;
        for _ in 0..300_000 {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = state;
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            assert_same_as_standard(f64::from_bits(bits ^ (bits >> 31)));
        }
    }

    /// Few bits make exact ties in the 18th digit: `m / 2^k`.
    #[test]
    fn ties_round_to_even() {
        for exponent in 0..80 {
            for numerator in 1..400 {
                assert_same_as_standard(f64::from(numerator) / 2.0_f64.powi(exponent));
                assert_same_as_standard((9e15 + f64::from(numerator)) / 2.0_f64.powi(exponent));
            }
        }
    }
}
