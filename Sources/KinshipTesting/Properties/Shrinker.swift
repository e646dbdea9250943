/// Reduces a failing list of commands, by delta debugging and then by simpler values.
///
/// It does not run lists itself: the caller asks for the next candidate, runs it, and records
/// whether it failed too.
struct Shrinker<C: Command> {
  private enum Pass {
    /// Drop the `size` commands from `start` on.
    case dropping(size: Int, start: Int)
    /// Replace the command at `index` by the first of `candidates`.
    case simplifying(index: Int, candidates: ArraySlice<C>)
    case done
  }

  private(set) var smallest: [C]

  private var pass: Pass
  private var improved = false

  init(_ failing: [C]) {
    smallest = failing
    pass = .dropping(size: max(1, failing.count / 2), start: 0)
  }

  /// Returns the next list to run, or `nil` if no smaller one is left to try.
  mutating func next() -> [C]? {
    while true {
      switch pass {
      case .dropping(let size, let start):
        if start < smallest.count {
          var candidate = smallest
          candidate.removeSubrange(start..<min(start + size, smallest.count))
          return candidate
        }
        endDropping(size)
      case .simplifying(let index, let candidates):
        if let simpler = candidates.first {
          var candidate = smallest
          candidate[index] = simpler
          return candidate
        }
        endSimplifying(index)
      case .done:
        return nil
      }
    }
  }

  /// Records that a candidate failed, which makes it the smallest list.
  mutating func recordFailure(of candidate: [C], at step: Int?) {
    smallest = step.map { Array(candidate.prefix($0 + 1)) } ?? candidate
    improved = true
    if case .simplifying(let index, _) = pass {
      pass = simplifying(index)
    }
  }

  mutating func recordSuccess() {
    switch pass {
    case .dropping(let size, let start): pass = .dropping(size: size, start: start + size)
    case .simplifying(let index, let candidates):
      pass = .simplifying(index: index, candidates: candidates.dropFirst())
    case .done: break
    }
  }

  private mutating func endDropping(_ size: Int) {
    if size > 1 {
      pass = .dropping(size: size / 2, start: 0)
    } else {
      pass = simplifying(0)
    }
  }

  private mutating func endSimplifying(_ index: Int) {
    if index + 1 < smallest.count {
      pass = simplifying(index + 1)
    } else if improved {
      improved = false
      pass = .dropping(size: 1, start: 0)
    } else {
      pass = .done
    }
  }

  private func simplifying(_ index: Int) -> Pass {
    .simplifying(
      index: index,
      candidates: index < smallest.count ? smallest[index].shrunk[...] : [])
  }
}
