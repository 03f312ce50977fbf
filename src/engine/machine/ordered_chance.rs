//! Methods of `Machine` for tests that order chance.
use crate::data::chance_order::{Chanced, Order, Said, heads};

impl crate::machine::game::Machine {
    /// For tests: orders the next draws (`choose … by chance`), in place of those ordered before: each draw takes the first order that it can fulfil. If a draw takes more things than
    /// its order names, the rest is random.
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

    /// For tests: orders what lies on top of a place after its next shuffle; several orders for one place are for successive shuffles.
    pub fn order_shuffle(&mut self, place: usize, top: &[Said]) {
        let (Ok(place), Ok(n)) = (u16::try_from(place), u16::try_from(top.len())) else { return };
        let orders = &mut self.core.state.orders;
        orders.push(Order::Shuffle(place, n));
        orders.extend(top.iter().map(|s| Order::Said(*s)));
    }

    /// Switches the log of chance on or off; see [`crate::machine::game::Machine::take_chance`].
    pub fn log_chance(&mut self, on: bool) {
        self.core.context.chance_log = on.then(Vec::new);
    }

    /// Takes the results of chance since the last call, in order.
    pub fn take_chance(&mut self) -> Vec<Chanced> {
        self.core.context.chance_log.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
