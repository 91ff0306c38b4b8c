import ArgumentParser

@main
struct Billfold: AsyncParsableCommand {
    /// Set by `scripts/release`.
    static let version = "0.1.0"
    static let configuration = CommandConfiguration(
        abstract: "Wallet payments, run on one machine.", version: BuildDescription().text,
        subcommands: [
            ServeCommand.self,
            TourCommand.self,
            DoctorCommand.self,
            ApplePayCommand.self,
            ProvisioningCommand.self,
            KeysCommand.self,
            UnionPayCommand.self,
            AlipayCommand.self,
            AlipayPlusCommand.self,
            MiniProgramCommand.self,
            DatabaseCommand.self,
            OperatorsCommand.self,
            SandboxCommand.self,
            ListenCommand.self,
            TriggerCommand.self,
            LogsCommand.self,
            OpenCommand.self,
            VersionCommand.self,
        ])

    /// Runs the command. Whatever it throws ends with a code: 64 for wrong usage, 70 for a fault of ours, and as one JSON object
    /// where `--json` was asked for.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            // Said already; its code may be that of wrong usage too.
            if error is ExitCode { exit(withError: error) }
            let asJSON = CommandLine.arguments.contains("--json")
            switch exitCode(for: error) {
            case .validationFailure:
                if let misspelt = MisspeltCommand(Array(CommandLine.arguments.dropFirst()), of: Self.self) {
                    exit(withError: CommandFailure.usage(misspelt.text).report(asJSON: asJSON))
                }
                guard asJSON else { exit(withError: error) }
                exit(withError: CommandFailure(.usage, code: "usage", reason: message(for: error)).report(asJSON: true))
            case .success: exit(withError: error)
            default: exit(withError: CommandFailure(error).report(asJSON: asJSON))
            }
        }
    }
}
