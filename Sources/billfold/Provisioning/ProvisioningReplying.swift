import ApplePay
import ArgumentParser

/// A command that reads files and answers with one JSON object.
protocol ProvisioningReplying: ApplePayReplying {}

extension ProvisioningReplying {
    var json: Bool { true }
}

extension ApplePayReply {
    /// An answer for programs alone.
    init(_ members: [JSONObject.Member], exitCode: Int32 = 0) {
        self.init(text: "", object: JSONObject(members), exitCode: exitCode)
    }
}
