import ContactsSimulator
import Testing

struct ContactsSimulatorExample {
    // Example
    /// Where the shop delivers to, on one line.
    func line(_ address: CNPostalAddress) -> String {
        "\(address.street.replacing("\n", with: ", ")), \(address.city) \(address.isoCountryCode.uppercased())"
    }

    /// An address as the owner of a phone has it.
    func home() -> String {
        let address = CNMutablePostalAddress()
        address.street = "Tea House\n100 Century Avenue"
        address.city = "Shanghai"
        address.isoCountryCode = "cn"
        return line(address)
    }
    // End

    @Test func example() { #expect(home() == "Tea House, 100 Century Avenue, Shanghai CN") }
}
