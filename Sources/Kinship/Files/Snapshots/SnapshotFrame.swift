/// The kinds of frames in a snapshot.
package enum SnapshotFrame: UInt8 {
  case head = 1
  case type = 2
  case records = 3
  case missing = 4
  case lease = 5
  case footer = 6
}
