import Foundation
import Kinship
import KinshipProgram

/// A kind of value that JSON can only write as a text; an exported line names the kind as well.
enum PlainKind: String, CaseIterable {
  case data, uuid, number

  /// The place of a value of a kind: a path by names, as JSON Pointer (RFC 6901) has it, in which
  /// `*` is each element of a list.
  struct Place {
    var path: ArraySlice<String>
    let kind: PlainKind

    init(path: ArraySlice<String> = [], kind: PlainKind) {
      self.path = path
      self.kind = kind
    }

    init(path: String, kind: PlainKind) {
      let names = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      self.path = names.dropFirst().map(Self.name)[...]
      self.kind = kind
    }

    var text: String {
      path.map { "/" + $0.replacingScalars(["~": "~0", "/": "~1"]) }.joined()
    }

    private static func name(_ part: Substring.UnicodeScalarView) -> String {
      var (name, isEscaped) = (String.UnicodeScalarView(), false)
      for scalar in part {
        name.append(isEscaped && scalar == "0" ? "~" : isEscaped && scalar == "1" ? "/" : scalar)
        isEscaped = scalar == "~"
        if isEscaped { name.removeLast() }
      }
      return String(name)
    }
  }

  /// The value that a text stands for; `nil` if it stands for none.
  fileprivate func value(of text: String) -> FieldValue? {
    switch self {
    case .data: Data(base64Encoded: text).map { .data($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .number: Double(text).flatMap { $0.isFinite ? nil : .number($0) }
    }
  }
}

extension FieldValue {
  /// The places at which JSON has a text for a value of another kind.
  var plainKinds: [PlainKind.Place] {
    switch self {
    case .data: return [PlainKind.Place(kind: .data)]
    case .uuid: return [PlainKind.Place(kind: .uuid)]
    case .number(let number) where !number.isFinite: return [PlainKind.Place(kind: .number)]
    case .list(let list):
      if let kind = list.first?.wholeKind, list.allSatisfy({ $0.wholeKind == kind }) {
        return [PlainKind.Place(path: ["*"], kind: kind)]
      }
      return list.enumerated().flatMap { index, value in value.plainKinds(below: "\(index)") }
    case .fields(let fields):
      return fields.names.flatMap { (fields[$0] ?? .null).plainKinds(below: $0) }
    default: return []
    }
  }

  func plainKinds(below name: String) -> [PlainKind.Place] {
    plainKinds.map { PlainKind.Place(path: [name] + $0.path, kind: $0.kind) }
  }

  private var wholeKind: PlainKind? {
    let places = plainKinds
    return places.count == 1 && places[0].path.isEmpty ? places[0].kind : nil
  }

  /// The value, with what its texts stand for; `nil` if one is not there, or stands for nothing.
  func taking(_ kinds: [PlainKind.Place]) -> FieldValue? {
    if kinds.isEmpty { return self }
    if kinds.contains(where: \.path.isEmpty) {
      return kinds.count == 1 ? text.flatMap { kinds[0].kind.value(of: $0) } : nil
    }
    var parts = Dictionary(grouping: kinds) { $0.path.first ?? "" }.mapValues {
      $0.map { PlainKind.Place(path: $0.path.dropFirst(), kind: $0.kind) }
    }
    switch self {
    case .list(let list):
      let all = parts.removeValue(forKey: "*") ?? []
      var taken: [FieldValue] = []
      for (index, value) in list.enumerated() {
        guard let value = value.taking(all + (parts.removeValue(forKey: "\(index)") ?? [])) else {
          return nil
        }
        taken.append(value)
      }
      return parts.isEmpty ? .list(taken) : nil
    case .fields(var fields):
      for (name, kinds) in parts {
        guard let value = fields[name]?.taking(kinds) else { return nil }
        fields[name] = value
      }
      return .fields(fields)
    default: return nil
    }
  }
}
