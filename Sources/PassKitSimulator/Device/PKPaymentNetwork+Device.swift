extension PKPaymentNetwork {
    /// The schemes that the current device's system knows.
    static var ofTheDevice: [PKPaymentNetwork] {
        let unknown = SimulatedDevice.current.configuration.unknownNetworks
        return known.filter { !unknown.contains($0) }
    }
}
