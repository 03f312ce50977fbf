//! Describes what the grammar expected in the reader's words. No name of a grammar rule leaves this file.
use super::grammar::Rule;

/// What is expected, for people: at most six things.
pub(super) fn list_expected(expected: &[Rule]) -> String {
    let mut words: Vec<String> = Vec::new();
    let operators: Vec<Rule> = expected.iter().copied().filter(|r| is_operator(*r)).collect();
    let lone = operators.len() == 1;
    for rule in expected {
        // A unit behind a number is one of many ways to go on.
        if !operators.is_empty() && !lone && *rule == Rule::name {
            continue;
        }
        let word = if lone && is_operator(*rule) { word_of(*rule) } else { words_for(*rule) };
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    // What always may stand there comes last.
    words.sort_by_key(|w| (w == "the end of the line", w == OPERATOR));
    if words.len() > 6 {
        words.retain(|w| w != OPERATOR);
        words.truncate(6);
    }
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// The reader's words for a rule of the grammar; empty if it says nothing to a reader.
pub(super) fn words_for(rule: Rule) -> String {
    let fixed = match rule {
        Rule::l_brace
        | Rule::block
        | Rule::items
        | Rule::kind_body
        | Rule::member_body
        | Rule::menu_body
        | Rule::lines
        | Rule::look_body => "`{`",
        Rule::r_brace => "`}`",
        Rule::l_paren | Rule::params | Rule::pats | Rule::names => "`(`",
        Rule::r_paren => "`)`",
        Rule::l_square | Rule::zone_index => "`[`",
        Rule::r_square => "`]`",
        Rule::comma | Rule::more => "`,`",
        Rule::colon | Rule::gives | Rule::fold_values => "`:`",
        Rule::bar | Rule::column | Rule::list_column | Rule::enum_column => "`|`",
        Rule::maybe => "`?`",
        Rule::eq => "`=`",
        Rule::change_by => "`=`, `+=` or `-=`",
        Rule::dots
        | Rule::dot
        | Rule::field
        | Rule::args
        | Rule::index
        | Rule::plus
        | Rule::times
        | Rule::compare
        | Rule::cmp_in
        | Rule::cmp_is
        | Rule::cmp_can
        | Rule::cmp_won
        | Rule::k_and
        | Rule::k_or
        | Rule::k_where
        | Rule::k_in
        | Rule::k_is
        | Rule::k_can
        | Rule::k_default
        | Rule::k_step => OPERATOR,
        Rule::expr
        | Rule::or_e
        | Rule::and_e
        | Rule::not_e
        | Rule::cmp
        | Rule::rng
        | Rule::add
        | Rule::mul
        | Rule::neg
        | Rule::dflt
        | Rule::steps
        | Rule::post
        | Rule::amount
        | Rule::paren
        | Rule::set_e
        | Rule::if_e
        | Rule::case_e
        | Rule::choose
        | Rule::first_of
        | Rule::the_one
        | Rule::kind_of
        | Rule::on_map
        | Rule::map_call
        | Rule::map_word
        | Rule::can_do
        | Rule::no_action
        | Rule::seen_n
        | Rule::arg
        | Rule::fold
        | Rule::arg_named
        | Rule::pat
        | Rule::branch
        | Rule::bounds
        | Rule::mark
        | Rule::marks
        | Rule::k_me
        | Rule::k_my
        | Rule::k_it
        | Rule::k_this
        | Rule::k_owner
        | Rule::k_none
        | Rule::k_yes
        | Rule::k_usual
        | Rule::k_any
        | Rule::k_no
        | Rule::k_not
        | Rule::minus => "an expression",
        Rule::r#type | Rule::base | Rule::type_named | Rule::range_t => "a type",
        Rule::many | Rule::choice | Rule::up_to => "an amount",
        Rule::text => "a text in quotes",
        Rule::picture => "a drawn map in `\"\"\"`",
        Rule::int => "a number",
        Rule::kind => "a name with a capital letter",
        Rule::name | Rule::word | Rule::cast | Rule::who | Rule::row_name | Rule::given => "a name",
        Rule::sign => "a sign",
        Rule::way => "`-` or `->`",
        Rule::param => "a parameter such as `p: player`",
        Rule::copies | Rule::copy_sign => "how many copies (`x2`)",
        Rule::head | Rule::heads => "the name of a value, rule, action or menu",
        Rule::sep | Rule::EOI | Rule::skip => "the end of the line",
        Rule::stmt => "a statement",
        Rule::item => "a declaration",
        Rule::shape => "`squares`, `hexes`, `line` or `graph`",
        Rule::point => "`end of` or `start of`",
        Rule::when => "`when`",
        Rule::reason => "`else`",
        Rule::because => "`because`",
        Rule::per => "`per`",
        Rule::once => "`once`",
        Rule::costs => "`cost`",
        Rule::may => "`may`",
        Rule::limit => "`by`, `during`, `when`, `once`",
        Rule::seen => "`seen`",
        Rule::active => "`active`",
        Rule::refill => "`refill`",
        Rule::answered => "`answered`",
        Rule::by_post | Rule::by_word | Rule::by_chance | Rule::limit_by => "`by`",
        Rule::type_of | Rule::of_expr | Rule::of_kind | Rule::of_player => "`of`",
        Rule::type_where => "`where`",
        Rule::to_expr => "`to`",
        Rule::from_expr | Rule::from_post => "`from`",
        Rule::lying => "`face up` or `face down`",
        Rule::is_kind => "`is`",
        Rule::on_kind => "`on`",
        Rule::for_kind => "`for`",
        Rule::pays => "`pays`",
        Rule::seeds => "`seeds`",
        Rule::with_cast | Rule::with_parts => "`with`",
        Rule::round_until | Rule::until_all => "`until`",
        Rule::at_once | Rule::in_turn | Rule::one_by_one | Rule::any_order | Rule::k_freely => {
            "`in turn`, `in any order`, `at once` or `freely`"
        }
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_string();
    }
    word_of(rule)
}

/// Words are rules called after themselves: k_else, k_of …
fn word_of(rule: Rule) -> String {
    match format!("{rule:?}").strip_prefix("k_") {
        Some(word) => format!("`{word}`"),
        None => String::new(),
    }
}

/// Whether a rule is one of the many ways an expression may go on.
pub(super) fn is_operator(rule: Rule) -> bool {
    words_for(rule) == OPERATOR
}

const OPERATOR: &str = "an operator";
