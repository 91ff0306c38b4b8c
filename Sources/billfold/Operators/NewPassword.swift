import ArgumentParser
import BillfoldDiagnosis
import Foundation

/// Where a new password comes from: never from the command line, which every user of the machine can read.
struct NewPassword: ParsableArguments {
    @Option(
        help: "A file whose first line is the new password. Without it, it is asked for at the terminal, or read from standard input.")
    var passwordFile: String?

    /// Refuses with `password-missing` when there is none, and with `passwords-differ` when it is typed differently twice.
    func read() throws -> Secret<String> {
        let text =
            if let passwordFile { try CommandFile.firstLine(passwordFile) } else if isatty(STDIN_FILENO) == 1 { try Self.typed() } else {
                readLine() ?? ""
            }
        guard !text.isEmpty else {
            throw CommandFailure(
                .usage, code: "password-missing", reason: "type it, pipe it to standard input, or name its file with --password-file")
        }
        return Secret(text)
    }

    private static func typed() throws -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
            throw CommandFailure(.refused, code: "terminal-unusable", reason: "the terminal cannot hide what is typed")
        }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
            throw CommandFailure(.refused, code: "terminal-unusable", reason: "the terminal cannot hide what is typed")
        }
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        func ask(_ prompt: String) -> String? {
            FileHandle.standardError.write(Data(prompt.utf8))
            defer { FileHandle.standardError.write(Data("\n".utf8)) }
            return readLine()
        }
        let first = ask("New password: ")
        guard let first, ask("Again: ") == first else {
            throw CommandFailure(.refused, code: "passwords-differ", reason: "the two passwords are not the same")
        }
        return first
    }
}
