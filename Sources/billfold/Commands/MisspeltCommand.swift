import ArgumentParser

/// A word of a command line that stands where a subcommand does and is none.
struct MisspeltCommand {
    let word: String
    /// Subcommands that may have been meant, the nearest first; never empty.
    let meant: [String]

    /// The first such word, if names are near it.
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
            let likely = NearestNames(of: word, among: below.map { $0._commandName }).likely
            guard !likely.isEmpty, word != "help" else { return nil }
            (self.word, meant) = (word, likely)
            return
        }
        return nil
    }

    var text: String {
        let names = meant.count == 1 ? meant[0] : meant.dropLast().joined(separator: ", ") + " or " + meant[meant.count - 1]
        return "There is no command '\(word)'. Did you mean \(names)?"
    }
}
