/// What is done about damage in files.
public enum DamagePolicy: Hashable, Sendable {
  /// The first damage that is found is thrown.
  ///
  /// Nothing is restored from a snapshot that is damaged anywhere. A `FileStore` does not read
  /// every byte when it is opened: see `KinshipFileStore` for what is checked when.
  case refuse
  /// Every byte is read; what is whole is kept, and all that is not is reported.
  case salvage
}
