//! Layer of the engine that reads and writes the state: cells, places, maps, knowledge.
pub(crate) mod canonical_order;
pub(crate) mod cells;
pub(crate) mod direct_offers;
pub(crate) mod domains;
pub(crate) mod graph;
pub(crate) mod knowledge;
pub(crate) mod look;
pub(crate) mod naming;
pub(crate) mod paths;
pub(crate) mod position_hash;
pub(crate) mod tables;
