import BillfoldDiagnosis
import BillfoldTestSupport
import PaymentCryptoPKCS11
import Testing

extension SoftToken {
    func configuration(pin: String = SoftToken.pin) throws -> PKCS11Token.Configuration {
        var configuration = PKCS11Token.Configuration(module: try #require(Self.module), label: label, pin: SecretPIN(Secret(pin)))
        configuration.isReadWrite = true
        return configuration
    }
}
