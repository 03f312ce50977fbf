//! The array functions of scripts. They replace rhai's own, which cost one step whatever the length of the array, so that a short script could keep a machine busy
//! for minutes. These charge steps for their work.
use super::meter::charge_steps;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, INT, NativeCallContext};

type Out<T> = Result<T, Box<EvalAltResult>>;

/// Elements that are looked at or moved for one step.
const PACE: usize = 8;

fn charge_elements(n: usize) -> Out<()> {
    charge_steps(1 + (n / PACE) as u64)
}

/// Whether two values are the same: whole numbers, truth values, nothing and texts; arrays element by element.
fn is_same(a: &Dynamic, b: &Dynamic) -> Out<bool> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a == b);
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return Ok(a == b);
    }
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        return Ok(*a == *b);
    }
    if let (Ok(a), Ok(b)) = (a.as_array_ref(), b.as_array_ref()) {
        return is_all_same(&a, &b);
    }
    Ok(a.is_unit() && b.is_unit())
}

fn is_all_same(a: &Array, b: &Array) -> Out<bool> {
    charge_elements(a.len().min(b.len()))?;
    if a.len() != b.len() {
        return Ok(false);
    }
    for (x, y) in a.iter().zip(b) {
        if !is_same(x, y)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn find_element(a: &Array, x: &Dynamic) -> Out<Option<usize>> {
    for (i, y) in a.iter().enumerate() {
        if i % PACE == 0 {
            charge_steps(1)?;
        }
        if is_same(x, y)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// The place that an index means; negative ones count from the end, as in `a[-1]`.
fn index_of(a: &Array, i: INT) -> Option<usize> {
    let n = INT::try_from(a.len()).ok()?;
    let i = if i < 0 { i.checked_add(n)? } else { i };
    usize::try_from(i).ok().filter(|i| *i < a.len())
}

fn to_numbers(a: &Array) -> Out<Vec<INT>> {
    a.iter()
        .map(|x| {
            x.as_int().map_err(|_| {
                "an array can only be sorted or added up if it contains only whole numbers".into()
            })
        })
        .collect()
}

/// Whether a closure says yes.
fn call_predicate(ctx: &NativeCallContext<'_>, f: &FnPtr, x: &Dynamic) -> Out<bool> {
    let said: Dynamic = f.call_within_context(ctx, (x.clone(),))?;
    said.as_bool().map_err(|_| "the function must give true or false".into())
}

/// Adds the functions to an engine.
pub(super) fn register_functions(engine: &mut Engine) {
    engine.register_iterator::<Array>();
    engine.register_get("len", |a: &mut Array| a.len() as INT);
    engine.register_fn("len", |a: &mut Array| a.len() as INT);
    engine.register_fn("is_empty", |a: &mut Array| a.is_empty());
    engine.register_fn("push", |a: &mut Array, x: Dynamic| -> Out<()> {
        charge_elements(a.len())?;
        a.push(x);
        Ok(())
    });
    engine.register_fn("pop", |a: &mut Array| a.pop().unwrap_or(Dynamic::UNIT));
    engine.register_fn("clear", |a: &mut Array| a.clear());
    engine.register_fn("insert", |a: &mut Array, i: INT, x: Dynamic| -> Out<()> {
        charge_elements(a.len())?;
        let at = index_of(a, i).unwrap_or(a.len());
        a.insert(at, x);
        Ok(())
    });
    engine.register_fn("remove", |a: &mut Array, i: INT| -> Out<Dynamic> {
        charge_elements(a.len())?;
        Ok(index_of(a, i).map_or(Dynamic::UNIT, |i| a.remove(i)))
    });
    engine.register_fn("truncate", |a: &mut Array, n: INT| a.truncate(usize::try_from(n).unwrap_or(0)));
    engine.register_fn("reverse", |a: &mut Array| -> Out<()> {
        charge_elements(a.len())?;
        a.reverse();
        Ok(())
    });
    engine.register_fn("sort", |a: &mut Array| -> Out<()> {
        charge_elements(a.len() * 4)?;
        let mut all = to_numbers(a)?;
        all.sort_unstable();
        *a = all.into_iter().map(Dynamic::from_int).collect();
        Ok(())
    });
    engine.register_fn("sum", |a: &mut Array| -> Out<INT> {
        charge_elements(a.len())?;
        let all = to_numbers(a)?;
        all.iter().try_fold(0, |s: INT, x| s.checked_add(*x)).ok_or_else(|| "the sum is too large".into())
    });
    engine.register_fn("contains", |a: &mut Array, x: Dynamic| -> Out<bool> {
        Ok(find_element(a, &x)?.is_some())
    });
    engine.register_fn("index_of", |a: &mut Array, x: Dynamic| -> Out<INT> {
        Ok(find_element(a, &x)?.map_or(-1, |i| i as INT))
    });
    engine.register_fn("==", |a: Array, b: Array| is_all_same(&a, &b));
    engine.register_fn("!=", |a: Array, b: Array| is_all_same(&a, &b).map(|same| !same));
    // Longer arrays: rhai looks at what comes out of an operator, and `grow` at what must not be made at all.
    engine.register_fn("+", |ctx: NativeCallContext<'_>, a: Array, b: Array| extend_array(&ctx, a, b));
    engine.register_fn("+=", |ctx: NativeCallContext<'_>, a: &mut Array, b: Array| -> Out<()> {
        *a = extend_array(&ctx, std::mem::take(a), b)?;
        Ok(())
    });
    engine.register_fn("append", |ctx: NativeCallContext<'_>, a: &mut Array, b: Array| -> Out<()> {
        *a = extend_array(&ctx, std::mem::take(a), b)?;
        Ok(())
    });
    engine.register_fn("pad", |ctx: NativeCallContext<'_>, a: &mut Array, n: INT, x: Dynamic| -> Out<()> {
        let more = usize::try_from(n).unwrap_or(0).saturating_sub(a.len());
        check_size(&ctx, a.len().saturating_add(more))?;
        charge_elements(a.len() + more)?;
        // Of an element that is itself an array there would be many copies.
        if x.is_array() || x.is_map() || x.is_string() {
            return Err("`pad` can only fill with whole numbers, truth values or ()".into());
        }
        a.resize(a.len() + more, x);
        Ok(())
    });
    engine.register_fn("filter", |ctx: NativeCallContext<'_>, a: &mut Array, f: FnPtr| -> Out<Array> {
        let mut out = Array::new();
        for x in a.iter() {
            if call_predicate(&ctx, &f, x)? {
                out.push(x.clone());
            }
        }
        Ok(out)
    });
    engine.register_fn("map", |ctx: NativeCallContext<'_>, a: &mut Array, f: FnPtr| -> Out<Array> {
        let mut out = Array::new();
        let mut size = 0;
        for x in a.iter() {
            let y: Dynamic = f.call_within_context(&ctx, (x.clone(),))?;
            // Rhai looks at the whole only when it is done: what grows on the way is counted here.
            size += count_elements(&y)?;
            check_size(&ctx, size)?;
            out.push(y);
        }
        Ok(out)
    });
    engine.register_fn("all", |ctx: NativeCallContext<'_>, a: &mut Array, f: FnPtr| -> Out<bool> {
        for x in a.iter() {
            if !call_predicate(&ctx, &f, x)? {
                return Ok(false);
            }
        }
        Ok(true)
    });
    engine.register_fn("some", |ctx: NativeCallContext<'_>, a: &mut Array, f: FnPtr| -> Out<bool> {
        for x in a.iter() {
            if call_predicate(&ctx, &f, x)? {
                return Ok(true);
            }
        }
        Ok(false)
    });
    engine.register_fn(
        "reduce",
        |ctx: NativeCallContext<'_>, a: &mut Array, f: FnPtr, first: Dynamic| -> Out<Dynamic> {
            let mut sum = first;
            for x in a.iter() {
                sum = f.call_within_context(&ctx, (sum, x.clone()))?;
            }
            Ok(sum)
        },
    );
}

/// How many elements a value is that becomes part of an array. Texts and maps are none that `map` makes: they would have to be counted, too.
fn count_elements(x: &Dynamic) -> Out<usize> {
    if x.is_map() || x.is_string() {
        return Err("`map` cannot make texts or maps".into());
    }
    let Ok(a) = x.as_array_ref() else { return Ok(1) };
    charge_elements(a.len())?;
    let mut n = 1;
    for y in a.iter() {
        n += count_elements(y)?;
    }
    Ok(n)
}

fn check_size(ctx: &NativeCallContext<'_>, n: usize) -> Out<()> {
    let most = ctx.engine().max_array_size();
    if n > most {
        return Err(EvalAltResult::ErrorDataTooLarge("Size of array".into(), rhai::Position::NONE).into());
    }
    Ok(())
}

fn extend_array(ctx: &NativeCallContext<'_>, mut a: Array, b: Array) -> Out<Array> {
    check_size(ctx, a.len() + b.len())?;
    charge_elements(a.len() + b.len())?;
    a.extend(b);
    Ok(a)
}
