//! Certificates of the verdicts on mate problems, which another program can verify. `docs/mate.md` describes the lines.
//!
//! Upper bounds of lengths come from the exact lengths of all defences. Lower bounds come from positions without a mate
//! within a number of plies, whichever interpositions are futile, and where these are not enough, from exact lengths.

use super::lengths::{Length, Lengths};
use super::proof::{Covered, Nodes, ProofNode, defence, mates, plain, refutations};
use super::questions::{Over, Questions};
use super::table::{NEVER, ProofTable};
use super::verdict::{Finding, FindingKind, Soundness, Spot, Verdict, alike};
use sanban_rules::{Checks, Move, MoveList};
use std::collections::{HashMap, HashSet};

/// Writes a certificate. Methods whose names end with `after` take positions with the defender to move.
pub(super) struct Certificate<'c, 'q, 'a, P> {
    lengths: Lengths<'q, 'a, P>,
    each: &'c mut (dyn FnMut(String) + Send),
    count: usize,
    /// The positions whose exact length is an upper bound in the certificate.
    most: HashSet<(u64, u32)>,
    /// The lower bounds in the certificate.
    least: HashMap<(u64, u32), Length>,
    /// The positions without a mate within a number of plies.
    none: Covered,
    /// The size in MB of the table for mates that avoid positions.
    second: usize,
}

impl<'c, 'q, 'a, P: Checks> Certificate<'c, 'q, 'a, P> {
    pub fn new(lengths: Lengths<'q, 'a, P>, second: usize, each: &'c mut (dyn FnMut(String) + Send)) -> Self {
        let (most, least, none) = (HashSet::new(), HashMap::new(), Covered::default());
        Self { lengths, each, count: 0, most, least, none, second }
    }

    /// Writes the certificate of what a check has found, and returns the number of its lines. `spots` are the positions
    /// of the solution.
    pub fn write(mut self, root: &P, report: &Soundness, spots: &[Spot<P>]) -> Result<usize, Over> {
        let name = match report.verdict {
            Verdict::NoMate => {
                (self.each)(format!("nomate {}", plain(root)));
                self.refute(vec![root.clone()], "")?;
                return Ok(self.count);
            }
            Verdict::Open if report.is_exact() => "exact".into(),
            Verdict::Open => return Err(Over),
            verdict => verdict.to_string(),
        };
        (self.each)(format!("{name} {} {}", report.line.len(), plain(root)));
        match report.verdict {
            Verdict::Open => {
                let length = Length { plies: report.line.len() as u16, full: false };
                self.least(&mut root.clone(), length)?;
            }
            Verdict::Cooked => self.cooked(report, spots)?,
            _ => self.sound(report, spots)?,
        }
        self.most(&mut root.clone())?;
        Ok(self.count)
    }

    /// Certifies that every other check is refuted or tolerated.
    fn sound(&mut self, report: &Soundness, spots: &[Spot<P>]) -> Result<(), Over> {
        let named: HashMap<&[Move], &Spot<P>> = spots.iter().map(|spot| (&spot.before[..], spot)).collect();
        let spot = |finding: &Finding| named.get(&finding.before[..]).copied().ok_or(Over);
        let mut returns = Vec::new();
        for finding in report.findings.iter().filter(|finding| finding.kind == FindingKind::Refuted) {
            let mut pos = spot(finding)?.pos.clone();
            pos.make(finding.mv, &mut ());
            match self.lengths.questions.is_mate(&pos)? {
                true => returns.push(finding),
                false => self.refute_after(&mut pos)?,
            }
        }
        for spot in spots {
            self.solution(spot)?;
        }
        for finding in &report.findings {
            let spot = spot(finding)?;
            let mut pos = spot.pos.clone();
            let plies = self.lengths.attack(&mut pos, NEVER - 2)?.ok_or(Over)?.plies;
            pos.make(finding.mv, &mut ());
            match finding.kind {
                FindingKind::Promotion | FindingKind::Distance => self.most_after(&mut pos, plies - 1)?,
                FindingKind::Detour => {
                    self.least_after(&mut pos, Length { plies: plies + 1, full: false })?;
                    self.avoiding("detour", spot, finding)?;
                }
                _ => {}
            }
        }
        returns.into_iter().try_for_each(|finding| self.avoiding("refuted", spot(finding)?, finding))
    }

    /// Certifies the cook with the fewest moves before it.
    fn cooked(&mut self, report: &Soundness, spots: &[Spot<P>]) -> Result<(), Over> {
        let cooks = report.findings.iter().filter(|finding| finding.kind == FindingKind::Cook);
        let cook = cooks.min_by_key(|cook| (cook.before.len(), cook.plies.is_none())).ok_or(Over)?;
        let spot = spots.iter().find(|spot| spot.before == cook.before).ok_or(Over)?;
        let mut lines = vec![&cook.before];
        if cook.plies.is_none() {
            // The later positions of the line are parts of the solution.
            let mut later = spot.pos.clone();
            for pair in self.lengths.main_line(&spot.pos)?.chunks_exact(2) {
                pair.iter().for_each(|&mv| later.make(mv, &mut ()));
                lines
                    .extend(spots.iter().find(|spot| spot.pos.key() == later.key()).map(|spot| &spot.before));
            }
        }
        for spot in spots.iter().filter(|spot| lines.iter().any(|line| line.starts_with(&spot.before))) {
            self.solution(spot)?;
        }
        let mut pos = spot.pos.clone();
        let (main, length) = self.lengths.solution(&mut pos)?.ok_or(Over)?;
        let is_alike = alike(&mut pos, main, cook.mv).is_some();
        pos.make(cook.mv, &mut ());
        match cook.plies {
            Some(_) => {
                self.most_after(&mut pos, length.plies - 1)?;
                self.line(&format!("cook\t{}\t", usi::<P>(&[&cook.before[..], &[cook.mv]].concat())));
                Ok(())
            }
            None => {
                if is_alike {
                    self.least_after(&mut pos, Length { plies: length.plies + 1, full: false })?;
                }
                self.avoiding("cook", spot, cook)
            }
        }
    }

    /// Writes a position of the solution with its exact length, and with the drops among the best defences that are
    /// not futile.
    fn solution(&mut self, spot: &Spot<P>) -> Result<(), Over> {
        let mut pos = spot.pos.clone();
        let (main, length) = self.lengths.solution(&mut pos)?.ok_or(Over)?;
        self.line(&format!("solution\t{}", usi::<P>(&[&spot.before[..], &[main]].concat())));
        self.least(&mut pos, length)?;
        if length.plies > 1 {
            pos.make(main, &mut ());
            for drop in self.lengths.counted(&mut pos, length)?.into_iter().filter(|mv| mv.is_drop()) {
                self.not_futile(&mut pos, drop, length.plies)?;
            }
        }
        Ok(())
    }

    /// Certifies that a mate after another check of the solution can, or cannot, avoid the positions of the line up to
    /// the check and, unless it is `refuted`, after it.
    fn avoiding(&mut self, name: &str, spot: &Spot<P>, finding: &Finding) -> Result<(), Over> {
        let (mut places, mut later) = (spot.places.clone(), spot.pos.clone());
        let line = if name == "refuted" { Vec::new() } else { self.lengths.main_line(&spot.pos)? };
        let moves = [&finding.before[..], &[finding.mv]].concat();
        self.line(&format!("{name}\t{}\t{}", usi::<P>(&moves), usi::<P>(&line)));
        for pair in line.chunks_exact(2) {
            pair.iter().for_each(|&mv| later.make(mv, &mut ()));
            places.push(self.lengths.questions.place(&later));
        }
        let table = ProofTable::renewed(None, self.second).ok_or(Over)?;
        let mut questions = Questions::new(&spot.pos, &table, self.lengths.questions.solver.control);
        let (count, each) = (&mut self.count, &mut *self.each);
        let mut write = |pos: &P, node: &ProofNode| {
            *count += 1;
            each(format!("\t{}", node.line(pos)));
        };
        let mut nodes = Nodes::new(&mut write);
        let mut pos = spot.pos.clone();
        pos.make(finding.mv, &mut ());
        if name == "cook" {
            questions.solver.forbidden = places;
            let mut replies = MoveList::new();
            pos.legal(&mut replies);
            for &reply in &replies {
                let mut after = pos.clone();
                after.make(reply, &mut ());
                mates(&after, &mut questions.solver, &mut nodes)?;
            }
            return Ok(());
        }
        nodes.covered = self.none.clone();
        places.iter().for_each(|&place| nodes.covered.add(place, NEVER));
        questions.solver.forbidden = places;
        let next = defence(&mut pos, &mut questions, &nodes)?.1;
        refutations(next.into_iter().collect(), &mut questions, &mut nodes)
    }

    /// Certifies that these positions with the attacker to move are no mate.
    fn refute(&mut self, todo: Vec<P>, name: &str) -> Result<(), Over> {
        let (count, each) = (&mut self.count, &mut *self.each);
        let mut write = |pos: &P, node: &ProofNode| {
            *count += 1;
            each(format!("{name}{}", node.line(pos)));
        };
        let mut nodes = Nodes::new(&mut write);
        nodes.covered = std::mem::take(&mut self.none);
        let done = refutations(todo, self.lengths.questions, &mut nodes);
        self.none = nodes.covered;
        done
    }

    fn refute_after(&mut self, pos: &mut P) -> Result<(), Over> {
        let mut write = |_: &P, _: &ProofNode| {};
        let mut nodes = Nodes::new(&mut write);
        nodes.covered = std::mem::take(&mut self.none);
        let next = defence(pos, self.lengths.questions, &nodes);
        self.none = nodes.covered;
        self.refute(next?.1.into_iter().collect(), "never\t")
    }

    fn line(&mut self, line: &str) {
        self.count += 1;
        (self.each)(line.into());
    }

    fn key(&self, pos: &P) -> (u64, u32) {
        let place = self.lengths.questions.place(pos);
        (place.board, place.hand)
    }

    /// Certifies the exact length of a mate as an upper bound.
    fn most(&mut self, pos: &mut P) -> Result<(), Over> {
        let (mv, length) = self.lengths.solution(pos)?.ok_or(Over)?;
        if !self.most.insert(self.key(pos)) {
            return Ok(());
        }
        self.line(&format!("most\t{length}\t{}\t{}", plain(pos), P::usi(mv)));
        self.then(pos, mv, |this, pos| this.most_after(pos, length.plies - 1))
    }

    /// Certifies the exact length of a mate, which takes at most `limit` plies, as an upper bound.
    fn most_after(&mut self, pos: &mut P, limit: u16) -> Result<(), Over> {
        let defences = self.lengths.defences(pos, limit)?;
        for &(mv, length) in &defences {
            length.ok_or(Over)?;
            self.then(pos, mv, Self::most)?;
        }
        let moves = defences.iter().filter(|(mv, _)| !mv.is_drop());
        let longest = moves.max_by_key(|&(_, length)| *length).copied();
        let plies = longest.and_then(|(_, length)| length).map_or(0, |length| length.plies);
        let mut squares: HashSet<usize> =
            defences.iter().filter(|(mv, _)| mv.is_drop()).map(|(mv, _)| mv.to()).collect();
        let (mut list, mut needed) = (MoveList::new(), 0);
        pos.legal(&mut list);
        for &drop in list.iter().filter(|mv| mv.is_drop()) {
            if !squares.insert(drop.to()) {
                continue;
            }
            for mut without in self.lengths.captures(pos, drop) {
                if let Some(length) = self.lengths.defence(&mut without, plies)? {
                    needed = needed.max(length.plies);
                    self.most_after(&mut without, plies)?;
                    break;
                }
            }
        }
        match longest {
            // Futile drops must take no longer than this defence.
            Some((mv, _)) if needed > 2 => {
                self.then(pos, mv, |this, pos| this.least(pos, Length { plies: needed - 1, full: false }))
            }
            _ => Ok(()),
        }
    }

    /// Certifies that a mate takes at least this long.
    fn least(&mut self, pos: &mut P, length: Length) -> Result<(), Over> {
        if length.plies == 1 && !length.full {
            return Ok(());
        }
        let within = length.plies - if length.full { 0 } else { 2 };
        if !self.mates(pos, within)? {
            return self.none(pos, within);
        }
        let key = self.key(pos);
        if self.least.get(&key).is_some_and(|&known| known >= length) {
            return Ok(());
        }
        self.least.insert(key, length);
        self.line(&format!("least\t{length}\t{}", plain(pos)));
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let left = Length { plies: length.plies - 1, ..length };
        checks.iter().try_for_each(|&mv| self.then(pos, mv, |this, pos| this.least_after(pos, left)))
    }

    fn least_after(&mut self, pos: &mut P, length: Length) -> Result<(), Over> {
        let hand = pos.hand(self.lengths.questions.solver.attacker());
        if length.plies == 0 && (!length.full || hand == 0) {
            return Ok(());
        }
        let within = length.plies - if length.full { 0 } else { 2 };
        if !self.mates_after(pos, within)? {
            return self.none_after(pos, within).map(drop);
        }
        if length.plies == 0 {
            return Err(Over);
        }
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let (drops, moves): (Vec<Move>, Vec<Move>) = list.iter().partition(|mv| mv.is_drop());
        let left = Length { plies: length.plies.saturating_sub(1), ..length };
        let mut longest = 0;
        for mv in moves {
            let found = self.lengths.reply(pos, mv, length.plies)?;
            if found.is_none_or(|found| found >= length) {
                return self.then(pos, mv, |this, pos| this.least(pos, left));
            }
            longest = longest.max(found.map_or(0, |found| found.plies));
        }
        for drop in drops {
            if self.lengths.reply(pos, drop, length.plies)?.is_some_and(|found| found < length) {
                continue;
            }
            // If the drop is futile, the longest move takes as long as the mate after its capture.
            let plies = length.plies + if length.full { 2 } else { 0 };
            let shortest = self.shortest(pos, drop, plies)?;
            if shortest.is_none_or(|shortest| shortest > longest) {
                self.then(pos, drop, |this, pos| this.least(pos, left))?;
                return match shortest {
                    None => self.last_captures(pos, drop, plies),
                    Some(_) => self.not_futile(pos, drop, longest),
                };
            }
        }
        Err(Over)
    }

    /// Returns the plies of the shortest mate after the capture of a drop, or `None` if it takes at least `plies` plies.
    fn shortest(&mut self, pos: &mut P, drop: Move, plies: u16) -> Result<Option<u16>, Over> {
        let mut shortest = None;
        for mut without in self.lengths.captures(pos, drop) {
            let found = self.lengths.defence(&mut without, plies - 2)?.map(|length| length.plies);
            shortest = [shortest, found].into_iter().flatten().min();
        }
        Ok(shortest)
    }

    /// Certifies that the mates after the captures of a drop take at least this many plies.
    fn last_captures(&mut self, pos: &mut P, drop: Move, plies: u16) -> Result<(), Over> {
        let length = Length { plies, full: false };
        let mut captures = self.lengths.captures(pos, drop);
        captures.iter_mut().try_for_each(|without| self.least_after(without, length))
    }

    /// Certifies that a drop is not futile: the mates after its captures take longer than all moves, which take at most
    /// `limit` plies.
    fn not_futile(&mut self, pos: &mut P, drop: Move, limit: u16) -> Result<(), Over> {
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let mut longest = 0;
        for &mv in list.iter().filter(|mv| !mv.is_drop()) {
            longest = longest.max(self.lengths.reply(pos, mv, limit)?.ok_or(Over)?.plies);
            self.then(pos, mv, Self::most)?;
        }
        self.last_captures(pos, drop, longest + 2)
    }

    /// Returns whether there may be a mate within this odd number of plies.
    fn mates(&mut self, pos: &mut P, plies: u16) -> Result<bool, Over> {
        match plies {
            1 => Ok(self.lengths.attack(pos, 1)?.is_some()),
            _ => self.lengths.questions.may_mate(pos, plies),
        }
    }

    /// Returns whether there may be a mate within this even number of plies.
    fn mates_after(&mut self, pos: &mut P, plies: u16) -> Result<bool, Over> {
        match plies {
            0 => Ok(self.lengths.defence(pos, 0)?.is_some()),
            _ => self.lengths.questions.may_mate(pos, plies),
        }
    }

    /// Certifies that there is no mate within this odd number of plies, whichever interpositions are futile.
    fn none(&mut self, pos: &mut P, plies: u16) -> Result<(), Over> {
        let place = self.lengths.questions.place(pos);
        if self.none.has::<P>(place, plies) {
            return Ok(());
        }
        let mut checks = MoveList::new();
        pos.checks(&mut checks);
        let mut answers = Vec::new();
        for &check in &checks {
            let reply = self.then(pos, check, |this, pos| this.none_after(pos, plies - 1))?;
            answers.push((check, reply));
        }
        self.none.add(place, plies);
        self.line(&format!("none\t{plies}\t{}", ProofNode::NoMate(answers).line(pos)));
        Ok(())
    }

    /// Certifies that there is no mate within this even number of plies. Returns the defence.
    fn none_after(&mut self, pos: &mut P, plies: u16) -> Result<Move, Over> {
        let mut list = MoveList::new();
        pos.legal(&mut list);
        let is_known = |this: &mut Self, pos: &mut P, mv: Move| {
            plies == 0
                || this.then(pos, mv, |this, pos| {
                    this.none.has::<P>(this.lengths.questions.place(pos), plies - 1)
                })
        };
        if let Some(&mv) = list.iter().find(|&&mv| !mv.is_drop() && is_known(self, pos, mv)) {
            return Ok(mv);
        }
        let best = self.lengths.questions.best(pos, plies);
        let (drops, moves): (Vec<Move>, Vec<Move>) = list.iter().partition(|mv| mv.is_drop());
        for mv in best.into_iter().chain(moves).chain(drops) {
            let lasts = plies == 0 || !self.then(pos, mv, |this, pos| this.mates(pos, plies - 1))?;
            let mut captures = if mv.is_drop() { self.lengths.captures(pos, mv) } else { Vec::new() };
            let mut all = lasts;
            for without in &mut captures {
                all = all && !self.mates_after(without, plies)?;
            }
            if all {
                if plies > 0 {
                    self.then(pos, mv, |this, pos| this.none(pos, plies - 1))?;
                }
                for without in &mut captures {
                    self.none_after(without, plies)?;
                }
                return Ok(mv);
            }
        }
        Err(Over)
    }

    /// Runs `work` in the position after a move.
    fn then<T>(&mut self, pos: &mut P, mv: Move, work: impl FnOnce(&mut Self, &mut P) -> T) -> T {
        pos.make(mv, &mut ());
        let found = work(self, pos);
        pos.unmake();
        found
    }
}

fn usi<P: Checks>(moves: &[Move]) -> String {
    moves.iter().map(|&mv| P::usi(mv)).collect::<Vec<_>>().join(" ")
}
