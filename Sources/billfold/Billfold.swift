import ArgumentParser

@main
struct Billfold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Wallet payments, run on one machine.",
        subcommands: [
            ServeCommand.self,
            TourCommand.self,
            DoctorCommand.self,
            ApplePayCommand.self,
            KeysCommand.self,
            UnionPayCommand.self,
            DatabaseCommand.self,
        ])
}
