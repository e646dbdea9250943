/// A value that plans can follow: refs to records of one type, or of one of several.
///
/// Only ``RelationshipValue`` and ``RefChoice`` refine it: conform to nothing else.
public protocol FollowedValue: Sendable {}

extension Optional: FollowedValue where Wrapped: FollowedValue {}

extension Array: FollowedValue where Element: FollowedValue {}
