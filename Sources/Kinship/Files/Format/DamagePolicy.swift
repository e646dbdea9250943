/// The treatment of damage in files.
public enum DamagePolicy: Hashable, Sendable {
  /// Throw the first damage that is found.
  ///
  /// A damaged snapshot is not restored at all. A `FileStore` does not read every byte when it is
  /// opened: see `KinshipFileStore` for what is checked when.
  case refuse
  /// Read every byte, keep the intact data, and report all damage.
  case salvage
}
