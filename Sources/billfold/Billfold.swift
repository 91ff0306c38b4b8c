import ArgumentParser

@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wallet payments, run on one machine.",
        subcommands: [
            ApplePayCommand.self,
            DoctorCommand.self,
            ServeCommand.self,
            TourCommand.self,
            KeysCommand.self,
            DatabaseCommand.self,
        ])
}
