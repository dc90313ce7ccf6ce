//! Splits the items of Western notation into games, and sorts the items of a game by their numbers.

use super::headers::identity;
use super::items::{Item, What};
use super::repair::{Repairing, is_garbage, is_speck, same_words};
use crate::record::error::RecordError;

/// Splits the items into games. A game begins at `#`, at a header after moves, at a different event or player, and at
/// number 1 with a different move than before. With repair, text before the first `#` of a document is dropped as
/// prose.
pub(super) fn games<'i, 'a>(items: &'i [Item<'a>], repairing: &mut Repairing<'_>) -> Vec<&'i [Item<'a>]> {
    let mut cuts = vec![0];
    let (mut moves, mut open) = (false, 0usize);
    let mut first: Option<&What> = None;
    // The event and the players of the current game.
    let mut named: Vec<(&str, &str)> = vec![];
    for (index, item) in items.iter().enumerate() {
        match item.what {
            What::Open => open += 1,
            What::Close => open = open.saturating_sub(1),
            _ => {}
        }
        let header = matches!(item.what, What::Header(..));
        let one = item.what == What::Number(1) && open == 0;
        let other =
            one && first.is_some_and(|first| items.get(index + 1).is_some_and(|next| next.what != *first));
        let own = identity(item);
        let renamed =
            own.is_some_and(|(key, value)| named.iter().any(|&(known, text)| known == key && text != value));
        if item.what == What::Game || header && moves || other || renamed {
            cuts.push(index);
            (moves, first) = (false, None);
            named.clear();
        }
        named.extend(own.filter(|own| !own.1.is_empty() && !named.contains(own)));
        if one && first.is_none() {
            first = items.get(index + 1).map(|next| &next.what);
        }
        moves |= matches!(item.what, What::Word(_) | What::Number(_));
    }
    cuts.push(items.len());
    let pieces = cuts.windows(2).map(|cut| &items[cut[0]..cut[1]]);
    let mut out: Vec<&[Item<'a>]> =
        pieces.filter(|game| game.iter().any(|item| item.what != What::Game)).collect();
    if repairing.on {
        let numbered = |game: &[Item<'_>]| game.iter().any(|item| matches!(item.what, What::Number(_)));
        let marked = out.iter().any(|game| game[0].what == What::Game && numbered(game));
        out.retain(|game| {
            let prose = marked && game[0].what != What::Game || !numbered(game) && !game.iter().any(|item| matches!(&item.what, What::Word(word) if !is_garbage(&What::Word(word.clone()))));
            if prose {
                repairing.mends.push(format!("{}: {} words of prose dropped", game[0].place(), game.len()));
            }
            !prose
        });
    }
    out
}

/// Sorts the items by their numbers, which may be in any order if there are no variations.
pub(super) fn in_order<'a>(
    items: &[Item<'a>],
    repairing: &mut Repairing<'_>,
) -> Result<Vec<Item<'a>>, RecordError> {
    if items.iter().any(|item| item.what == What::Open) {
        return Ok(items.to_vec());
    }
    // Group the items from one number to the next.
    let mut groups: Vec<(usize, Vec<Item<'a>>)> = vec![(0, vec![])];
    for item in items {
        if let What::Number(number) = item.what {
            groups.push((number, vec![]));
        }
        if let Some(group) = groups.last_mut() {
            group.1.push(item.clone());
        }
    }
    groups.sort_by_key(|group| group.0);
    let mut out = Vec::new();
    let mut last: Option<(usize, Vec<String>)> = None;
    for (number, group) in groups {
        let words = |group: &[Item<'a>]| -> Vec<String> {
            let words = group.iter().filter_map(|item| match &item.what {
                What::Word(word) if !is_speck(word) => Some(word.clone()),
                _ => None,
            });
            words.collect()
        };
        let own = words(&group);
        if let Some((before, other)) = &last
            && *before == number
            && number > 0
            && let Some(first) = group.first()
        {
            if !repairing.on {
                return Err(first.error(format!("expected number {}, found {number} again", number + 1)));
            }
            if same_words(other, &own) {
                repairing.mends.push(format!("{}: repeated number {number}: dropped", first.place()));
                continue;
            }
            return Err(first.error(format!("number {number} is repeated with different moves")));
        }
        out.extend(group);
        last = Some((number, own));
    }
    Ok(out)
}
