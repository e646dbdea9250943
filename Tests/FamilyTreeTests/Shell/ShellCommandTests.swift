import Testing

@testable import family_tree

struct ShellCommandTests {
  @Test(
    arguments: [
      ("show I1", .show("I1", generations: nil)),
      ("  show  mary   lee 3 ", .show("mary lee", generations: 3)),
      ("show I1 all", .show("I1", generations: Options.allGenerations)),
      ("show 3", .show("3", generations: nil)),
      ("show \"Henry 8\"", .show("Henry 8", generations: nil)),
      ("find zoë", .find("zoë")),
      ("rename I1 Ann /Lee/", .rename("I1", to: "Ann /Lee/")),
      ("rename \"mary lee\" Maria Lee", .rename("mary lee", to: "Maria Lee")),
      ("add-child F1 Tom Lee M", .addChild(of: "F1", name: "Tom Lee", sex: .male)),
      ("add-child F1 Tom", .addChild(of: "F1", name: "Tom", sex: .unknown)),
      ("add-child F1 M", .addChild(of: "F1", name: "M", sex: .unknown)),
      ("preview I1", .preview("I1")), ("delete mary lee", .delete("mary lee")),
      ("watch I1 2", .watch("I1", generations: 2)),
      ("watch mary lee", .watch("mary lee", generations: nil)),
      (
        "watch where \"surname=van der Lee\" born=..1850 sort -born,name first 10",
        .watchAnswer(
          PersonQuestion(
            conditions: [.surname("van der Lee"), .born(-9_999...1_850)],
            order: [PersonOrder(key: .born, isDescending: true), PersonOrder(key: .name)],
            limit: 10))
      ),
      ("unwatch", .unwatch(nil)), ("unwatch mary lee", .unwatch("mary lee")),
      ("undo", .undo), ("redo", .redo), ("changes", .changes), ("help", .help), ("quit", .quit),
    ] as [(String, ShellCommand)])
  func understood(line: String, command: ShellCommand) throws {
    #expect(try ShellCommand(line) == command)
  }

  @Test(arguments: ["", "   ", "# show \"I1", "#"])
  func passedOver(line: String) throws {
    #expect(try ShellCommand(line) == nil)
  }

  @Test(
    arguments: [
      ("dance", .unknownCommand("dance", near: nil)),
      ("del I1", .unknownCommand("del", near: "delete")),
      ("undoo", .unknownCommand("undoo", near: "undo")),
      ("show", .incomplete(usage: "show ID [GENERATIONS]")),
      ("rename I1", .incomplete(usage: "rename ID NEW NAME")),
      ("add-child", .incomplete(usage: "add-child ID NAME [SEX]")),
      ("watch where", .incomplete(usage: ShellCommand.usages["watch"] ?? "")),
      ("watch where born=1900 sort", .incomplete(usage: ShellCommand.usages["watch"] ?? "")),
      ("watch where first 3", .incomplete(usage: ShellCommand.usages["watch"] ?? "")),
      ("watch where age=3", .noQuestion("age=3", usage: PersonCondition.usage)),
      ("watch where born=1 sort age", .noQuestion("age", usage: PersonOrder.usage)),
      (
        "watch where born=1 first 0",
        .noQuestion("0", usage: "a number from 1 to 10,000")
      ),
      ("undo 2", .tooMuch(usage: "undo")),
      ("show \"mary", .openQuote),
    ] as [(String, ShellMistake)])
  func mistaken(line: String, mistake: ShellMistake) {
    #expect(throws: mistake) { try ShellCommand(line) }
  }

  @Test func everyCommandIsInTheHelp() {
    for name in ShellCommand.usages.keys {
      #expect(ShellCommand.helpText.contains(name))
      #expect(helpText.contains(name))
    }
  }
}
