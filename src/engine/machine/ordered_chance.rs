//! Methods of `Machine` for tests that order chance.
use crate::data::chance_order::{Chanced, Order, Said, heads};

impl crate::machine::game::Machine {
    /// For tests: what chance draws next (`choose … by chance`), in order, instead of what was ordered before: each draw takes the first of these that it can bring. Where more is drawn
    /// than is named, the rest is left to chance.
    pub fn order_draws(&mut self, draws: &[Vec<Said>]) {
        let orders = &mut self.core.state.orders;
        let kept: Vec<Order> = heads(orders)
            .filter(|(_, head, _)| matches!(head, Order::Shuffle(..)))
            .flat_map(|(_, head, named)| std::iter::once(head).chain(named.iter().copied()))
            .collect();
        *orders = kept;
        for draw in draws {
            orders.push(Order::Draw(u16::try_from(draw.len()).unwrap_or(u16::MAX)));
            orders.extend(draw.iter().take(usize::from(u16::MAX)).map(|s| Order::Said(*s)));
        }
    }

    /// For tests: what lies on the top of a place after it is shuffled next; several orders for one place are for one shuffle after the other.
    pub fn order_shuffle(&mut self, place: usize, top: &[Said]) {
        let (Ok(place), Ok(n)) = (u16::try_from(place), u16::try_from(top.len())) else { return };
        let orders = &mut self.core.state.orders;
        orders.push(Order::Shuffle(place, n));
        orders.extend(top.iter().map(|s| Order::Said(*s)));
    }

    /// Switches on or off that chance is told of; see [`crate::machine::game::Machine::take_chance`].
    pub fn tell_chance(&mut self, on: bool) {
        self.core.context.chance_log = on.then(Vec::new);
    }

    /// What chance has brought since the last call, in order.
    pub fn take_chance(&mut self) -> Vec<Chanced> {
        self.core.context.chance_log.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
