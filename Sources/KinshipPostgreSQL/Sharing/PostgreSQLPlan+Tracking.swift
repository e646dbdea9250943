#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  extension PostgreSQLPlan {
    /// The logged columns of the table and of its lists.
    var tracked: TrackedTable {
      TrackedTable(
        R.recordName, name, ids: plan.idColumns, isPlain: idTypes.allSatisfy(\.kind.isPlain),
        lists: zip(plan.table.lists, lists).map { list, types in
          TrackedList(
            table: types.table, owner: [list.place.owner],
            content: Array(list.place.columns.dropFirst()), isPlain: types.owner.kind.isPlain)
        })
    }

    /// Returns refs for ids from the log; `nil` if one of them is not an id.
    ///
    /// The texts are the columns of one id after another.
    func refs(ofTexts texts: [String]) -> [AnyRef]? {
      let types = idTypes
      guard texts.count.isMultiple(of: types.count) else { return nil }
      var refs: [AnyRef] = []
      for start in stride(from: 0, to: texts.count, by: types.count) {
        var values: [SQLValue] = []
        for (place, type) in types.enumerated() {
          guard let value = type.kind.value(ofText: texts[start + place]) else { return nil }
          values.append(value)
        }
        guard let ref = plan.ref(of: values) else { return nil }
        refs.append(ref)
      }
      return refs
    }
  }
#endif
