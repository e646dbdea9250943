/// What the property of a relationship holds: a ref, an optional ref, or an array of refs.
///
/// Only ``Ref``, `Optional` and `Array` of refs conform.
public protocol RelationshipValue: Sendable {}

extension Ref: RelationshipValue {}
extension Optional: RelationshipValue where Wrapped: RelationshipValue {}
extension Array: RelationshipValue where Element: RelationshipValue {}
