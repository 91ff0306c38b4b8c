import ArgumentParser

/// `billfold provisioning`: an issuer's part of adding a card to a phone wallet, from a shell.
struct ProvisioningCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provisioning", abstract: "Seal, open, check and simulate what adds a card to a phone wallet.",
        subcommands: [
            ProvisioningSeal.self, ProvisioningOpen.self, ProvisioningCheckChain.self, ProvisioningMakeActivationData.self,
            ProvisioningVerifyActivationData.self, ProvisioningSimulate.self,
        ])
}
