#if PostgreSQL
  internal import Kinship
  internal import KinshipSQL

  extension PostgreSQLPlan {
    /// The logged columns of the table and of its lists.
    var tracked: TrackedTable {
      TrackedTable(
        R.recordName, name, ids: plan.idColumns, isPlain: idTypes.allSatisfy(\.kind.isPlain),
        lists: zip(plan.table.lists, lists).map { list, types in
          let source = list.source
          return TrackedList(
            table: types.table, owner: [source.owner],
            content: [source.target] + (source.order.map { [$0] } ?? []),
            isPlain: types.owner.kind.isPlain)
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
        let row = SQLRow(ValueCells(values), layout: plan.idLayout)
        guard let id = row.recordID(of: R.self) else { return nil }
        refs.append(AnyRef(Ref<R>(id)))
      }
      return refs
    }
  }
#endif
