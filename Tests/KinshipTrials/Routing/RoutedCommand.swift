import KinshipTestSupport

/// One operation of the trial of several stores behind one.
enum RoutedCommand: Command {
  typealias Kind = RoutedContents.Kind

  enum Edit: Sendable {
    /// A record, which may refer to another one by its number.
    case put(Kind, Int, value: Int, other: Int?)
    case delete(Kind, Int)
  }

  /// The behaviour of a store in its next commit.
  enum Mood: CaseIterable { case willing, refusing, losingBefore, losingAfter }

  case write([Edit])
  case mood(Kind, Mood)
  /// Drops the contents of memory, so that only the stores can find referrers.
  case trim

  static func random(using generator: inout SplitMix64) -> RoutedCommand {
    func kind() -> Kind { Kind.allCases.randomElement(using: &generator) ?? .person }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
      let only = generator.chance(0.3) ? kind() : nil
      return .write(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          edit(of: only ?? kind(), using: &generator)
        })
    case 6, 7:
      let isWilling = generator.chance(0.6)
      return .mood(
        kind(), isWilling ? .willing : Mood.allCases.randomElement(using: &generator) ?? .willing)
    default: return .trim
    }
  }

  private static func edit(of kind: Kind, using generator: inout SplitMix64) -> Edit {
    func number() -> Int { Int.random(in: 0..<4, using: &generator) }
    if generator.chance(0.3) { return .delete(kind, number()) }
    let other = generator.chance(0.7) ? number() : nil
    // No two values are equal, because putting an equal record would count as a change.
    return .put(kind, number(), value: Int(generator.next() >> 8), other: other)
  }

  var shrunk: [RoutedCommand] {
    guard case .write(let edits) = self else { return [] }
    return edits.indices.map { index in
      var fewer = edits
      fewer.remove(at: index)
      return .write(fewer)
    }
  }
}

extension RoutedCommand.Mood {
  var script: StoreScript {
    let behavior =
      switch self {
      case .willing: StoreBehavior()
      case .refusing: StoreBehavior(failure: ScriptedFailure(call: 0))
      case .losingBefore: StoreBehavior(losing: .before)
      case .losingAfter: StoreBehavior(losing: .after)
      }
    return StoreScript { call, _ in call.kind == .apply ? behavior : StoreBehavior() }
  }
}
