//! Conversion between bytes and text.

use super::error::RecordError;
use encoding_rs::{EUC_JP, EUC_KR, ISO_2022_JP, SHIFT_JIS, UTF_8};
use std::borrow::Cow;

/// A character encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// Shift_JIS with Microsoft's extensions (cp932).
    ShiftJis,
    /// EUC-JP, for old Unix files.
    EucJp,
    /// ISO-2022-JP, for e-mail.
    Iso2022Jp,
    /// cp949, for Korean records.
    Cp949,
}

impl Encoding {
    /// The encoding with this name; common aliases are accepted.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Some(Self::Utf8),
            "shift_jis" | "shift-jis" | "shiftjis" | "sjis" | "cp932" | "windows-31j" => Some(Self::ShiftJis),
            "euc-jp" | "euc_jp" | "eucjp" => Some(Self::EucJp),
            "iso-2022-jp" | "iso_2022_jp" | "jis" => Some(Self::Iso2022Jp),
            "cp949" | "euc-kr" | "euc_kr" => Some(Self::Cp949),
            _ => None,
        }
    }

    /// The name in the first line of KIF and CSA files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Iso2022Jp => "ISO-2022-JP",
            Self::Cp949 => "cp949",
        }
    }

    fn codec(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::ShiftJis => SHIFT_JIS,
            Self::EucJp => EUC_JP,
            Self::Iso2022Jp => ISO_2022_JP,
            Self::Cp949 => EUC_KR,
        }
    }
}

/// Characters that are frequent in records: if two encodings fit, the one that yields more of these characters is
/// chosen.
const FREQUENT: &str = "手合割平先後開始終了日時棋戦場所持駒消費間数指歩香桂銀金角飛玉王同と馬龍竜成打一二三四五六七八九\
     １２３４５６７８９投中断千詰負勝第局：▲△☗☖のでまに";

/// At most one in this number of characters may be invalid; some servers truncate names in the middle of a character.
const PER_BROKEN: usize = 20;

/// Detects the encoding of a file and decodes it: ISO-2022-JP by its escape sequences, UTF-8, UTF-16 by its byte order
/// mark, cp949 if the result is a Korean record, otherwise Shift_JIS or EUC-JP, whichever yields more characters that
/// are frequent in records. A byte order mark is removed. Invalid characters are replaced by `U+FFFD`, if they are few.
///
/// # Errors
/// The location of the first invalid character, if there are too many.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), RecordError> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let codec = if bytes[0] == 0xFF { encoding_rs::UTF_16LE } else { encoding_rs::UTF_16BE };
        return accept(codec.decode_with_bom_removal(bytes).0, Encoding::Utf8);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.is_ascii() && bytes.windows(3).any(|escape| matches!(escape, b"\x1b$B" | b"\x1b$@")) {
        return accept(ISO_2022_JP.decode_without_bom_handling(bytes).0, Encoding::Iso2022Jp);
    }
    if let Ok(text) = str::from_utf8(bytes) {
        return accept(Cow::Borrowed(text), Encoding::Utf8);
    }
    let (korean, _) = EUC_KR.decode_without_bom_handling(&bytes[..bytes.len().min(4096)]);
    if ["차림", "대국", "한수쉼", "총수"].iter().any(|word| korean.contains(word)) {
        return accept(EUC_KR.decode_without_bom_handling(bytes).0, Encoding::Cp949);
    }
    let (japanese, broken) = SHIFT_JIS.decode_without_bom_handling(bytes);
    let (unix, unix_broken) = EUC_JP.decode_without_bom_handling(bytes);
    if !unix_broken || replaced(&unix) < replaced(&japanese) {
        let frequent = |text: &str| text.chars().filter(|&c| !c.is_ascii() && FREQUENT.contains(c)).count();
        // Decoded as Shift_JIS, kanji in EUC-JP become half-width kana, rare kanji or invalid characters.
        let has_kana = japanese.contains(|c| ('\u{ff61}'..='\u{ff9f}').contains(&c));
        let (own, other) = (frequent(&unix), frequent(&japanese));
        if own > other || !unix_broken && (broken || own == other && has_kana) {
            return accept(unix, Encoding::EucJp);
        }
    }
    if !broken {
        return accept(japanese, Encoding::ShiftJis);
    }
    let damaged = String::from_utf8_lossy(bytes);
    if replaced(&damaged) <= replaced(&japanese) {
        accept(damaged, Encoding::Utf8)
    } else {
        accept(japanese, Encoding::ShiftJis)
    }
}

fn replaced(text: &str) -> usize {
    text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count()
}

/// Returns the text, unless it has too many invalid characters.
fn accept(text: Cow<'_, str>, encoding: Encoding) -> Result<(Cow<'_, str>, Encoding), RecordError> {
    let wrong = |c: char| c == char::REPLACEMENT_CHARACTER || c == '\0';
    if memchr::memchr(0, text.as_bytes()).is_none() && !text.contains(char::REPLACEMENT_CHARACTER) {
        return Ok((text, encoding));
    }
    let Some(at) = text.find(wrong) else { return Ok((text, encoding)) };
    let (count, all) = (text.chars().filter(|&c| wrong(c)).count(), text.chars().count());
    if count * PER_BROKEN <= all {
        return Ok((text, encoding));
    }
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let problem = "expected text in UTF-8, a Japanese encoding or cp949, found invalid bytes".into();
    Err(RecordError { line, column, problem })
}

/// Characters that many encodings lack, with characters of the same meaning.
const SIMILAR: [(char, char); 10] = [
    ('☗', '▲'),
    ('☖', '△'),
    ('⛊', '▼'),
    ('⛉', '▽'),
    ('〜', '～'),
    ('‖', '∥'),
    ('—', '―'),
    ('¢', '￠'),
    ('£', '￡'),
    ('¬', '￢'),
];

/// Encodes a string. Characters that the encoding lacks are replaced by characters of the same meaning or, if there are
/// none, by `〓`. Returns the bytes and the number of characters replaced by `〓`.
pub fn encode(text: &str, encoding: Encoding) -> (Vec<u8>, usize) {
    let codec = encoding.codec();
    let (bytes, _, lacking) = codec.encode(text);
    if !lacking {
        return (bytes.into_owned(), 0);
    }
    let mut count = 0;
    let lacks = |c: char| codec.encode(c.encode_utf8(&mut [0; 4])).2;
    let known: String = text
        .chars()
        .map(|c| {
            if !lacks(c) {
                return c;
            }
            let similar = SIMILAR.iter().find(|(lacking, _)| *lacking == c).map(|known| known.1);
            similar.filter(|&similar| !lacks(similar)).unwrap_or_else(|| {
                count += 1;
                '〓'
            })
        })
        .collect();
    (codec.encode(&known).0.into_owned(), count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let text = "先手：羽生善治\n後手：谷川浩司\n";
        for encoding in [Encoding::Utf8, Encoding::ShiftJis, Encoding::EucJp, Encoding::Iso2022Jp] {
            let (bytes, lacking) = encode(text, encoding);
            assert_eq!(lacking, 0);
            assert_eq!(decode(&bytes), Ok((text.into(), encoding)));
        }
        let korean = "[초차림 \"상마상마\"]\n1. 79卒78\n";
        let (bytes, lacking) = encode(korean, Encoding::Cp949);
        assert_eq!(lacking, 0);
        assert_eq!(decode(&bytes), Ok((korean.into(), Encoding::Cp949)));
        assert_eq!(decode(b"\xEF\xBB\xBFabc"), Ok(("abc".into(), Encoding::Utf8)));
        assert_eq!(decode(b"\xFF\xFEa\0\n\0"), Ok(("a\n".into(), Encoding::Utf8)));
    }

    #[test]
    fn a_few_kanji_are_not_half_width_kana() {
        for [black, white] in
            [["甲", "乙"], ["森内俊之", "島朗"], ["森けい二", "丸山忠久"], ["郷田真隆", "屋敷伸之"]]
        {
            let text = format!("V2.2\nN+{black}\nN-{white}\nPI\n+\n+7776FU\n");
            for encoding in [Encoding::EucJp, Encoding::ShiftJis] {
                let (bytes, _) = encode(&text, encoding);
                assert_eq!(decode(&bytes), Ok((text.as_str().into(), encoding)));
            }
        }
    }

    #[test]
    fn one_broken_name_is_forgiven_and_noise_is_not() {
        let (mut bytes, _) =
            encode("先手：羽生善治\n後手：谷川浩司谷川浩司谷川浩司谷川浩司谷川浩司\n", Encoding::ShiftJis);
        let cut = bytes.len() - 2;
        bytes.remove(cut);
        assert!(decode(&bytes).is_ok_and(|(text, _)| text.starts_with("先手：羽生善治\n")));
        let noise: Vec<u8> = (0..4000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let error = decode(&noise).expect_err("noise is not text");
        assert!(error.problem.contains("invalid bytes"));
    }

    #[test]
    fn what_is_lacking_is_counted() {
        assert_eq!(encode("a😀b♟", Encoding::ShiftJis).1, 2);
        assert_eq!(encode("a😀b☗", Encoding::Utf8).1, 0);
        for encoding in [Encoding::ShiftJis, Encoding::EucJp, Encoding::Iso2022Jp, Encoding::Cp949] {
            let (bytes, lacking) = encode("☗☖⛊⛉", encoding);
            assert_eq!(lacking, 0, "{encoding:?}");
            assert_eq!(encoding.codec().decode_without_bom_handling(&bytes).0, "▲△▼▽");
        }
    }
}
