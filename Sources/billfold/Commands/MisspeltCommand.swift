import ArgumentParser

/// A word of a command line that stands where a subcommand does and is none.
struct MisspeltCommand {
    let word: String
    /// Commands that may have been meant, the nearest first.
    let meant: [String]
    /// What there is in its place.
    private let known: [String]

    /// The first such word, if there is one.
    ///
    /// - Parameters:
    ///   - arguments: Those of the program, without its own name.
    ///   - root: The program.
    init?(_ arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        // `help` goes the same way as what it explains.
        for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
            let below = command.configuration.subcommands
            guard !below.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = below.first(where: { $0._commandName == word }) {
                command = next
                continue
            }
            guard word != "help" else { return nil }
            let likely = NearestNames(of: word, among: below.map { $0._commandName }).likely
            // A command of another group is named with its group.
            (self.word, meant) = (word, likely.isEmpty ? Self.paths(of: word, below: root) : likely)
            known = below.map { $0._commandName }
            return
        }
        return nil
    }

    /// Every command of a name, with the groups that it is in.
    private static func paths(of word: String, below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.flatMap { next in
            (next._commandName == word ? [word] : []) + paths(of: word, below: next).map { "\(next._commandName) \($0)" }
        }
    }

    var text: String {
        guard let last = meant.last else { return "There is no command '\(word)'. There are \(known.joined(separator: ", "))." }
        let names = meant.count == 1 ? last : meant.dropLast().joined(separator: ", ") + " or " + last
        return "There is no command '\(word)'. Did you mean \(names)?"
    }
}
