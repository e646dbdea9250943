import KinshipTestSupport

/// One operation of the trial of two tiers.
enum TieredCommand: Command {
  struct Limits: Sendable {
    /// Seconds.
    var fresh: Int?
    var outage: Int?
  }

  enum Edit: Sendable {
    case put(isDraft: Bool, Int, group: Int, value: Int)
    case delete(isDraft: Bool, Int)
  }

  case fetch(isDraft: Bool, [Int], Limits)
  case find(isDraft: Bool, group: Int, limit: Int?)
  case write([Edit])
  /// Another program changes the far store.
  case othersWrite(Edit)
  case far(MoodyStore.Mood)
  /// The near store fails, if the trial allows it.
  case near(MoodyStore.Mood)
  case wait(seconds: Int)
  /// The program starts again.
  case restart
  case removeCopies

  static func random(using generator: inout SplitMix64) -> TieredCommand {
    func number() -> Int { Int.random(in: 0..<6, using: &generator) }
    func isDraft() -> Bool { generator.chance(0.4) }
    func seconds() -> Int? { [nil, nil, 0, 5, 60, 1_000].randomElement(using: &generator) ?? nil }
    func mood() -> MoodyStore.Mood {
      let mood = MoodyStore.Mood.allCases.randomElement(using: &generator) ?? .willing
      return generator.chance(0.5) ? .willing : mood
    }
    func edit() -> Edit {
      if generator.chance(0.25) { return .delete(isDraft: isDraft(), number()) }
      return .put(
        isDraft: isDraft(), number(), group: number() % 2, value: Int(generator.next() >> 8))
    }
    switch Int.random(in: 0..<24, using: &generator) {
    case 0..<7:
      let ids = Array(Set((0..<Int.random(in: 1...4, using: &generator)).map { _ in number() }))
      return .fetch(
        isDraft: isDraft(), ids.sorted(), Limits(fresh: seconds(), outage: seconds()))
    case 7..<11:
      return .find(
        isDraft: isDraft(), group: number() % 2, limit: generator.chance(0.3) ? 2 : nil)
    case 11..<15:
      return .write((0..<Int.random(in: 1...3, using: &generator)).map { _ in edit() })
    case 15, 16: return .othersWrite(edit())
    case 17, 18, 19: return .far(mood())
    case 20: return .near(mood())
    case 21, 22: return .wait(seconds: Int.random(in: 1...90, using: &generator))
    default: return generator.chance(0.8) ? .restart : .removeCopies
    }
  }

  var shrunk: [TieredCommand] {
    switch self {
    case .fetch(let isDraft, let numbers, let limits) where numbers.count > 1:
      numbers.indices.map { index in
        var fewer = numbers
        fewer.remove(at: index)
        return .fetch(isDraft: isDraft, fewer, limits)
      }
    case .write(let edits) where edits.count > 1:
      edits.indices.map { index in
        var fewer = edits
        fewer.remove(at: index)
        return .write(fewer)
      }
    default: []
    }
  }
}
