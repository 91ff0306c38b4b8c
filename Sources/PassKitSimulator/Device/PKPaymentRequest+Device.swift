extension PKPaymentRequest {
    /// The schemes that the current device's system knows.
    public class func availableNetworks() -> [PKPaymentNetwork] {
        let unknown = SimulatedDevice.current.configuration.unknownNetworks
        return PKPaymentNetwork.known.filter { !unknown.contains($0) }
    }
}
