/// The knowledge of an identity.
@usableFromInline
enum Knowledge<Element: Sendable>: Sendable {
  case present(Element)
  case missing
  /// It is not in memory, and whether it exists is not known.
  case unknown

  @inlinable var element: Element? {
    if case .present(let element) = self { element } else { nil }
  }

  @inlinable var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  @inlinable var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}
