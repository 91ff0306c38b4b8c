import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage

extension CodeService.Request {
    init(_ bytes: [UInt8]) throws(ProvisioningError) {
        let body = try RequestReader(bytes, allowing: ["requestId", "tokenReference", "methodIdentifier", "code", "expiresAt"])
        id = try body.identifier("requestId")
        token = try body.identifier("tokenReference")
        method = try body.text("methodIdentifier", maximum: 64)
        // Mastercard: up to 32 characters; Visa: up to 8 (provisioning.md#one-time-codes [O]).
        code = Secret(try body.text("code", maximum: 32))
        expiresAt = try body.instant("expiresAt")
    }
}
