//! The schema as Arrow has it, from which its readers take the metadata of columns.
//!
//! Reference: Apache Arrow, *Columnar Format*, `format/Schema.fbs` and `format/Message.fbs`; *Encapsulated message format*.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flatbuffers::{FlatBufferBuilder, ForwardsUOffset, TableFinishedWIPOffset, Vector, WIPOffset};

use super::field::{Content, Field};

/// Slot of the n-th field of a table.
const fn slot(n: u16) -> u16 {
    4 + 2 * n
}

const MESSAGE_VERSION_5: i16 = 4;
const HEADER_SCHEMA: u8 = 1;
const TYPE_INT: u8 = 2;
const TYPE_FLOATING_POINT: u8 = 3;
const TYPE_UTF8: u8 = 5;
const BITS_OF_COUNTS: i32 = 64;
const PRECISION_DOUBLE: i16 = 2;

/// The value of the key `ARROW:schema` of a file.
pub(super) fn encoded(fields: &[Field<'_>], metadata: &[(&str, String)]) -> String {
    let mut builder = FlatBufferBuilder::new();
    let offsets: Vec<_> = fields.iter().map(|own| field(&mut builder, own)).collect();
    let offsets = builder.create_vector(&offsets);
    let pairs: Vec<_> = metadata.iter().map(|(key, value)| pair(&mut builder, key, value)).collect();
    let pairs = builder.create_vector(&pairs);
    let start = builder.start_table();
    builder.push_slot_always(slot(1), offsets);
    builder.push_slot_always(slot(2), pairs);
    let schema = builder.end_table(start);
    let start = builder.start_table();
    builder.push_slot_always::<i16>(slot(0), MESSAGE_VERSION_5);
    builder.push_slot_always::<u8>(slot(1), HEADER_SCHEMA);
    builder.push_slot_always(slot(2), schema);
    let message = builder.end_table(start);
    builder.finish_minimal(message);
    let mut body = builder.finished_data().to_vec();
    body.resize(body.len().next_multiple_of(8), 0);
    let mut framed = vec![0xff; 4];
    framed.extend((body.len() as u32).to_le_bytes());
    framed.extend(body);
    BASE64_STANDARD.encode(framed)
}

type Table = WIPOffset<TableFinishedWIPOffset>;

fn field(builder: &mut FlatBufferBuilder<'_>, field: &Field<'_>) -> Table {
    let name = builder.create_string(field.name);
    let metadata = (!field.unit.is_empty()).then(|| unit(builder, field.unit));
    let children = builder.create_vector::<ForwardsUOffset<TableFinishedWIPOffset>>(&[]);
    let start = builder.start_table();
    let kind = match field.content {
        Content::Numbers(_) => {
            builder.push_slot_always::<i16>(slot(0), PRECISION_DOUBLE);
            TYPE_FLOATING_POINT
        }
        Content::Counts(_) => {
            builder.push_slot_always::<i32>(slot(0), BITS_OF_COUNTS);
            builder.push_slot_always::<bool>(slot(1), true);
            TYPE_INT
        }
        Content::Texts(_) => TYPE_UTF8,
    };
    let of_type = builder.end_table(start);
    let start = builder.start_table();
    builder.push_slot_always(slot(0), name);
    builder.push_slot_always::<bool>(slot(1), false);
    builder.push_slot_always::<u8>(slot(2), kind);
    builder.push_slot_always(slot(3), of_type);
    builder.push_slot_always(slot(5), children);
    if let Some(metadata) = metadata {
        builder.push_slot_always(slot(6), metadata);
    }
    builder.end_table(start)
}

/// Metadata of a field that has the key `unit`.
fn unit<'b>(
    builder: &mut FlatBufferBuilder<'b>,
    unit: &str,
) -> WIPOffset<Vector<'b, ForwardsUOffset<TableFinishedWIPOffset>>> {
    let pair = pair(builder, "unit", unit);
    builder.create_vector(&[pair])
}

fn pair(builder: &mut FlatBufferBuilder<'_>, key: &str, value: &str) -> Table {
    let (key, value) = (builder.create_string(key), builder.create_string(value));
    let start = builder.start_table();
    builder.push_slot_always(slot(0), key);
    builder.push_slot_always(slot(1), value);
    builder.end_table(start)
}
