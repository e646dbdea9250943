import Kinship
import KinshipTestSupport

/// A change of files: bytes are inserted, removed, repeated or swapped, and so are entire files.
enum FileMutation: CustomStringConvertible {
  /// Bytes of a file.
  struct Span: CustomStringConvertible {
    let file: String
    let range: Range<Int>

    var description: String { "\(range) of \(file)" }
  }

  case insert([UInt8], at: Int, String)
  case remove(Span)
  /// A copy of some bytes is inserted elsewhere.
  case duplicate(Span, at: Int, String)
  /// A copy of some bytes replaces others.
  case overwrite(Span, by: Span)
  case swap(Span, Span)
  case swapFiles(String, String)
  case copyFile(String, over: String)
  case removeFile(String)

  var description: String {
    switch self {
    case .insert(let bytes, let place, let file): "\(bytes.count) bytes at \(place) of \(file)"
    case .remove(let span): "\(span) go"
    case .duplicate(let span, let place, let file): "\(span) come in at \(place) of \(file), too"
    case .overwrite(let span, let other): "\(span) become \(other)"
    case .swap(let one, let other): "\(one) and \(other) change places"
    case .swapFiles(let one, let other): "\(one) and \(other) change places"
    case .copyFile(let one, let other): "\(other) becomes \(one)"
    case .removeFile(let file): "\(file) goes"
    }
  }

  /// Chooses a mutation of some files.
  ///
  /// - Parameters:
  ///   - files: The files by their names.
  ///   - spans: Bytes that belong together, such as a frame or a record: half of the choices are
  ///     from these.
  ///   - generator: The source of the choices.
  /// - Returns: The mutation.
  static func random(
    of files: [String: [UInt8]], spans: [Span], using generator: inout SplitMix64
  ) -> FileMutation {
    let names = files.keys.sorted()
    func name() -> String { names.randomElement(using: &generator) ?? "" }
    func place(in name: String) -> Int {
      let inside = spans.filter { $0.file == name }
      if generator.chance(0.5), let span = inside.randomElement(using: &generator) {
        return span.range.lowerBound
      }
      return Int.random(in: 0...(files[name]?.count ?? 0), using: &generator)
    }
    func span() -> Span {
      if generator.chance(0.5), let span = spans.randomElement(using: &generator) { return span }
      let name = name()
      let count = files[name]?.count ?? 0
      let start = Int.random(in: 0...count, using: &generator)
      let most = generator.chance(0.5) ? 16 : 2_000
      return Span(
        file: name,
        range: start..<min(count, start + Int.random(in: 1...most, using: &generator)))
    }
    /// Bytes that can be replaced by others.
    func span(like other: Span) -> Span {
      let alike = spans.filter { $0.range.count == other.range.count }
      if generator.chance(0.8), let span = alike.randomElement(using: &generator) { return span }
      let name = name()
      let count = files[name]?.count ?? 0
      let start = Int.random(in: 0...max(0, count - other.range.count), using: &generator)
      return Span(file: name, range: start..<min(count, start + other.range.count))
    }
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<3:
      let name = name()
      let count = Int.random(in: 1...(generator.chance(0.7) ? 8 : 600), using: &generator)
      let isZero = generator.chance(0.3)
      let bytes = (0..<count).map { _ in isZero ? 0 : UInt8.random(in: 0...255, using: &generator) }
      return .insert(bytes, at: place(in: name), name)
    case 3..<5: return .remove(span())
    case 5..<7:
      let name = name()
      return .duplicate(span(), at: place(in: name), name)
    case 7..<10:
      let one = span()
      return .overwrite(one, by: span(like: one))
    case 10..<13:
      let one = span()
      return .swap(one, span(like: one))
    case 13: return .swapFiles(name(), name())
    case 14: return .copyFile(name(), over: name())
    default: return .removeFile(name())
    }
  }

  /// Makes it happen.
  func apply(to files: inout [String: [UInt8]]) {
    let before = files
    func bytes(_ span: Span) -> [UInt8] { Array(before[span.file]?[span.range] ?? []) }
    switch self {
    case .insert(let bytes, let place, let file): files[file]?.insert(contentsOf: bytes, at: place)
    case .remove(let span): files[span.file]?.removeSubrange(span.range)
    case .duplicate(let span, let place, let file):
      let copy = bytes(span)
      files[file]?.insert(contentsOf: copy, at: place)
    case .overwrite(let span, let other):
      let copy = bytes(other)
      files[span.file]?.replaceSubrange(span.range, with: copy)
    case .swap(let one, let other):
      guard one.range.count == other.range.count else { return }
      let (first, second) = (bytes(one), bytes(other))
      files[one.file]?.replaceSubrange(one.range, with: second)
      files[other.file]?.replaceSubrange(other.range, with: first)
    case .swapFiles(let one, let other):
      (files[one], files[other]) = (files[other], files[one])
    case .copyFile(let one, let other): files[other] = files[one]
    case .removeFile(let file): files[file] = nil
    }
  }
}
