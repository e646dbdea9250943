import KinshipTestSupport

/// An operation on a family whose views are checked.
enum ViewStep: Command {
  case rename(Int, String)
  case marry(Int, father: Int?, mother: Int?)
  case adopt(Int, [Int])
  case attend(Int, [Int])
  case retitle(Int, String)
  case move(event: Int, place: Int?)
  case region(Int, Int)
  case renamePlace(Int, String)
  case put(Int, String)
  case remove(Int)
  case invalidate(Int)
  case trim(Int)
  case removeAll
  /// A write that is shown before the store commits or refuses it.
  case writeOptimistically(Int, String, isRefused: Bool)
  /// From now on, calls of the store fail at random, or no longer.
  case fail(Bool)

  static func random(using generator: inout SplitMix64) -> ViewStep {
    let count = ViewTrial.people
    func number() -> Int { Int.random(in: 0..<count + 2, using: &generator) }
    func maybe() -> Int? { generator.chance(0.7) ? number() : nil }
    func some() -> [Int] {
      Array(Set((0..<Int.random(in: 0..<4, using: &generator)).map { _ in number() })).sorted()
    }
    func word() -> String { String("abcnopxyz".randomElement(using: &generator) ?? "a") }
    switch Int.random(in: 0..<25, using: &generator) {
    case 0..<3: return .rename(number(), word())
    case 3..<5: return .marry(number(), father: maybe(), mother: maybe())
    case 5..<7: return .adopt(number(), some())
    case 7, 8: return .attend(number(), some())
    case 9, 10: return .retitle(number(), word())
    case 11: return .move(event: number(), place: maybe())
    case 12: return .region(number(), number())
    case 13: return .renamePlace(number(), word())
    case 14, 15: return .put(number(), word())
    case 16: return .remove(number())
    case 17: return .invalidate(number())
    case 18: return .trim(Int.random(in: 0..<10, using: &generator))
    case 19: return .removeAll
    case 20..<23: return .writeOptimistically(number(), word(), isRefused: generator.chance(0.6))
    default: return .fail(generator.chance(0.6))
    }
  }
}
