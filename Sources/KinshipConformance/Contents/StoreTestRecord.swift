public import Kinship

/// A record type by which stores are tried: one of ``StoreContents/recordTypes``.
public protocol StoreTestRecord: GraphRecord, Hashable, Codable where ID: Codable {}
