//! Korean particles, which depend on the sound before them.

/// Adds the particle for "object": 을 after a final consonant, 를 otherwise.
pub fn object(text: &str) -> String {
    particle(text, "을", "를")
}

/// Adds the particle for the subject: 이 or 가.
pub fn subject(text: &str) -> String {
    particle(text, "이", "가")
}

/// Adds the particle "and": 과 or 와.
pub fn with(text: &str) -> String {
    particle(text, "과", "와")
}

/// Adds one of two forms of a particle, the first after a final consonant.
fn particle(text: &str, closed: &str, open: &str) -> String {
    format!("{text}{}", if is_closed(text) { closed } else { open })
}

/// Returns whether the last syllable, as it is read, ends in a consonant. Brackets at the end are not read, digits are.
fn is_closed(text: &str) -> bool {
    let mut text = text.trim_end_matches(['+', '.', '…', ' ']);
    while let Some((before, _)) = text.strip_suffix(')').and_then(|inside| inside.rsplit_once('(')) {
        text = before.trim_end();
    }
    match text.chars().next_back() {
        // 영, 일, 삼, 육, 칠, 팔 end in a consonant; 이, 사, 오, 구 do not.
        Some(digit @ '0'..='9') => "013678".contains(digit),
        Some(letter) if ('\u{AC00}'..='\u{D7A3}').contains(&letter) => {
            !(u32::from(letter) - 0xAC00).is_multiple_of(28)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_follow_the_last_sound() {
        let objects = [
            "56의 은",
            "28의 비차",
            "33각(44)",
            "34비(44)",
            "43비(44) 승격",
            "34보놓기",
            "73졸63",
            "73졸64",
            "",
        ];
        let with_particle = objects.map(object);
        assert_eq!(
            with_particle,
            [
                "56의 은을",
                "28의 비차를",
                "33각(44)을",
                "34비(44)를",
                "43비(44) 승격을",
                "34보놓기를",
                "73졸63을",
                "73졸64를",
                "를"
            ]
        );
        assert_eq!(
            [with("은"), with("비차"), subject("은"), subject("비차")],
            ["은과", "비차와", "은이", "비차가"]
        );
    }
}
