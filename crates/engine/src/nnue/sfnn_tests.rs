//! Compares outputs of SFNN files, made here from random numbers, with YaneuraOu's outputs for the same files.

use super::tests::{position, refused, walk};
use super::{Accumulator, Network, halfkp, simd};
use sanban_rules::{Position as _, Rng};
use std::sync::Arc;

/// A block of compressed numbers with these bytes.
fn list(bytes: &[u8]) -> Vec<u8> {
    [b"COMPRESSED_LEB128", &(bytes.len() as u32).to_le_bytes()[..], bytes].concat()
}

/// Appends `n` random numbers: the first of two bytes (-256 to 255), the others of one byte (-32 to 31).
fn compressed(rng: &mut Rng, n: usize, out: &mut Vec<u8>) {
    let end = out.len() + n + 1;
    out.extend([0x80 | rng.next() as u8, [0x7E, 0x7F, 0, 1][rng.below(4)]]);
    while out.len() < end {
        let bits = rng.next();
        let bytes = (bits & 0x3F3F_3F3F_3F3F_3F3F | (bits & 0x2020_2020_2020_2020) << 1).to_le_bytes();
        out.extend(&bytes[..8.min(end - out.len())]);
    }
}

/// A file with random weights for one of YaneuraOu's editions (`SFNN_inputs_neurons_first_second[_sets]`) with this
/// number of sets. The weights do not saturate any layer everywhere.
pub fn file(edition: &str, sets: usize) -> Vec<u8> {
    let words: Vec<&str> = edition.split('_').collect();
    let [hidden, first, second] = [2, 3, 4].map(|at| words[at].parse::<usize>().expect("a number"));
    let rows = match words[1] {
        "halfkahm2" => 45 * 1629,
        "halfka2" => 81 * 1629,
        "halfkahm1" => 45 * 1710,
        "halfka1" => 81 * 1710,
        "halfkpvm" => 45 * 1548,
        _ => 81 * 1548,
    };
    let name = if edition == "SFNN_halfkahm2_1536_15_32_k3k3" { "SFNN-1536" } else { edition };
    let progress = edition.contains("progress");
    let hash = 0x3C20_3B32 ^ if progress { 0x6F50_524F } else { 0 };
    let text = format!(
        "ModelType=SFNNWithoutPsqt;Features={}[{rows}->{hidden}x2],Network={}{{LayerStack={sets}}}",
        words[1],
        name.to_uppercase()
    );
    let mut out = vec![];
    out.extend([0x7AF3_2F16u32, hash, text.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
    out.extend(text.bytes());
    out.extend(0x5F13_4AB8u32.to_le_bytes());
    let mut rng = Rng::new(hidden as u64);
    let mut bytes = Vec::with_capacity(rows * (hidden + 1));
    compressed(&mut rng, hidden, &mut bytes);
    out.extend(list(&bytes));
    bytes.clear();
    (0..rows).for_each(|_| compressed(&mut rng, hidden, &mut bytes));
    out.extend(list(&bytes));
    let mut spread = |n: usize| rng.below(2 * n + 1) as i32 - n as i32;
    if progress {
        out.extend(0x6F50_524Fu32.to_le_bytes());
        out.extend((0..=81 * 1548).flat_map(|_| spread(60_000).to_le_bytes()));
    }
    let shortcut = usize::from(first % 8 == 7);
    let wide = (200.0 / (hidden as f64).sqrt()) as usize;
    for _ in 0..sets {
        out.extend(0x6333_718Au32.to_le_bytes());
        let dense = [(hidden, first + shortcut, wide), (2 * first, second, 40), (second, 1, 30)];
        for (inputs, outputs, weight) in dense {
            out.extend((0..outputs).flat_map(|_| spread(3000).to_le_bytes()));
            out.extend((0..outputs * inputs.next_multiple_of(32)).map(|_| spread(weight) as u8));
        }
    }
    out
}

fn network(bytes: &[u8]) -> Arc<Network> {
    Arc::new(halfkp::parse(bytes, 1, "test").expect("a valid file"))
}

#[test]
fn values_are_yaneuraous() {
    let text = include_str!("data/sfnn.tsv");
    let mut compared = 0;
    for block in text.split("\n> ").skip(1) {
        let (heading, lines) = block.split_once('\n').expect("a heading line");
        let (edition, sets) = heading.split_once(' ').expect("an edition and its sets");
        let network = network(&file(edition, sets.parse().expect("a number")));
        assert_eq!(network.name, format!("test {} FV_SCALE 1", edition.replace('_', "-")));
        for line in lines.lines() {
            let (sfen, value) = line.split_once('\t').expect("a tab");
            let pos = position(sfen);
            for kernels in simd::available() {
                let mut acc = Accumulator::with(Arc::clone(&network), kernels);
                acc.reset(&pos);
                assert_eq!(acc.raw(&pos).to_string(), value, "{sfen}, {edition}, {}", kernels.name);
            }
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared} values");
}

#[test]
fn sets_follow_the_moves() {
    let network = network(&file("SFNN_halfkpvm_128_7_32_hand64z_k9k9z_progress2", 64 * 81 * 2));
    walk(position(sanban_rules::shogi::START), |pos| pos.king(pos.side()), &network, 3, 100);
}

/// The file with a different text in its header.
fn with_text(bytes: &[u8], text: &str) -> Vec<u8> {
    let old = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
    [&bytes[..8], &(text.len() as u32).to_le_bytes(), text.as_bytes(), &bytes[12 + old..]].concat()
}

#[test]
fn the_text_counts_where_the_size_says_too_little() {
    let parse = |bytes: &[u8]| halfkp::parse(bytes, 16, "test");
    let name = |bytes: &[u8]| parse(bytes).expect("a valid file").name;
    let nine = file("SFNN_halfkpvm_64_7_64_k3k3", 9);
    // Nine sets of a common shape are selected by the kings, even if the text names a shape that does not fit.
    let wrong =
        ["", "Network=", "Network=SFNN_", "Network=SFNN_HALFKPVM_64_7_64_K9K9{", "Network=SFNN-1536{"];
    let wrong = wrong.into_iter().chain([
        "Network=SFNN_HALFKPVM_64_99999999999999999999_64_K3K3{",
        "Network=SFNN_HALFKPVM_64_18446744073709551615_64_K3K3{",
        "Network=SFNN_HALFKPVM_64_7_64_C0_S0X0_K3K3{",
        "Network=SFNN_HALFKPVM_64_7_64_C64_S18446744073709551615X2_K3K3{",
        "Network=SFNN_HALFKPVM_64_7_64_PROGRESS5{",
        "Network=SFNN_HALFKPVM_64_7_64_\u{130}\u{df}{",
    ]);
    for text in wrong {
        assert_eq!(name(&with_text(&nine, text)), "test SFNN-halfkpvm-64-7-64-k3k3 FV_SCALE 16", "{text}");
    }
    let long = with_text(&nine, "Network=SFNN_HALFKPVM_64_7_64_KING3_BY_KING3{LayerStack=9},fv_scale=20");
    assert_eq!(name(&long), "test SFNN-halfkpvm-64-7-64-k3k3 FV_SCALE 20");
    for (edition, sets, words) in [
        (
            "SFNN_halfkpvm_64_7_64_hand64z",
            64,
            "could be 7-64-hand64, 7-64-hand64z, but the header names none: nothing",
        ),
        ("SFNN_halfkpvm_64_15_64_k9k9z", 81, "could be 15-64-k9k9, 15-64-k9k9z, but the header names none"),
        (
            "SFNN_halfkpvm_64_8_32_k3k3",
            9,
            "bytes of dense layers fit neither a known shape nor the header: nothing",
        ),
        ("SFNN_halfkpvm_64_7_64_k3k3_progress2", 18, "fit neither a known shape nor the header"),
    ] {
        let bytes = file(edition, sets);
        assert_eq!(name(&bytes), format!("test {} FV_SCALE 16", edition.replace('_', "-")));
        refused(parse(&with_text(&bytes, "nothing")), words);
    }
    refused(parse(&nine[..nine.len() - 1]), "bytes of dense layers fit neither a known shape nor the header");
    refused(
        parse(&[&nine[..], b"x"].concat()),
        "bytes of dense layers fit neither a known shape nor the header",
    );
    refused(parse(&nine[..1_000_000]), "more bytes expected");
    refused(parse(&file("SFNN_halfkpvm_96_7_64_k3k3", 9)), "96 neurons per side, expected a multiple of 64");
    let start = nine.windows(17).rposition(|window| window == b"COMPRESSED_LEB128").expect("the weights");
    let none = [&nine[..start], &list(&[0; 128])].concat();
    refused(parse(&none), "weights for 2 inputs, expected one of 73305 (halfkahm2), 131949 (halfka2)");
}
