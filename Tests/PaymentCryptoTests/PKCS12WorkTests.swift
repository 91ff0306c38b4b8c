import BillfoldTestSupport
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

/// PKCS#12 files that ask for more hashing of their password than anybody should do for them; the password is 000000.
@Suite struct PKCS12WorkTests {
    /// An integrity code of 2,147,483,647 rounds.
    private static let integrity = """
        3082017f0201033082013306092a864886f70d010701a0820124048201203082011c3082011806092a864886f70d010701a082010904820105308201\
        013081fe060b2a864886f70d010c0a0102a081ee3081eb305606092a864886f70d01050d3049302806092a864886f70d01050c301b040804820e4b84\
        dc75ea020101300c06082a864886f70d02090500301d060960864801650304012a0410e2739d6d6ae0030ecc43d20f70408808048190e54475b140c0\
        1ba4ccd1036980e3daffc225f078e3860195b3b7b6d753db5262ca5a66ff4492e9cff632a35edac20e912dedb94104edef008a24d2523d741787a0b5\
        473c936767394062b2c2a99f07051f9d605894c95e978f4583edcd65494788488f23f549d59f4083784a767982589479e007cd65f90b6b418a4e54d4\
        ce598df4c968120ee3d110aa31c3b9e1a26130433031300d060960864801650304020105000420c0929cab221a5b6dc431e9f4281afe6a6750f4da04\
        83876b84319ccba8c4e1c204083ec44020fd4d300d02047fffffff
        """
    /// One round for the integrity code, and 2,000,001 for the key.
    private static let key = """
        3082017c0201033082013606092a864886f70d010701a0820127048201233082011f3082011b06092a864886f70d010701a082010c04820108308201\
        0430820100060b2a864886f70d010c0a0102a081f03081ed305806092a864886f70d01050d304b302a06092a864886f70d01050c301d0408fe876fde\
        4a01627402031e8481300c06082a864886f70d02090500301d060960864801650304012a0410f7b245be8fd7d1c106bb10296658e49f048190b53783\
        c62c4279415d4349b98b9683dfa02cf0366f4f6cce6284f696b9550d3f1f5ee0f43aba68466966fd21859062631847e819a85a781371b9d543b5e7e7\
        6adcc7049a4c9508c70b9a1a0a83a3310a20d2bedbf6a84c1154d8c829c9f5304aa418f8c1b1b0e2e93bc9e497dfe5826c398dca2f770fce58f49730\
        4337d85120c0e254de3dfadb3955e0879213e9d96e303d3031300d0609608648016503040201050004207f10e0f07cb656dde7a6c201c19560e5463a\
        a3a06df55d0dfe427d6d9127e40b04086e371527f0b7d2d8
        """

    @Test(arguments: [integrity, key])
    func fileThatAsksForTooMuchIsRefused(hex: String) throws {
        let error = #expect(throws: PaymentCryptoOpenSSLError.self) {
            try PKCS12Archive(der: Hexadecimal.decode(hex), password: "000000")
        }
        #expect(error?.code == .malformedArchive)
        #expect(try #require(error?.rounds) > 2_000_000)
    }

    /// PBMAC1 (RFC 9579) has its rounds in another place than older integrity codes.
    @Test func roundsOfANewerIntegrityCodeAreSeen() {
        func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            let content = parts.flatMap(\.self)
            return [tag] + (content.count < 128 ? [UInt8(content.count)] : [0x81, UInt8(content.count)]) + content
        }
        func algorithm(_ name: [UInt8], _ parameters: [UInt8]) -> [UInt8] { der(0x30, der(0x06, name), parameters) }
        let null: [UInt8] = [0x05, 0x00]
        let code = algorithm([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x09], null)
        let salt = der(0x04, [UInt8](repeating: 7, count: 8))
        let derivation = algorithm(
            [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c],
            der(0x30, salt, der(0x02, [0x7f, 0xff, 0xff, 0xff]), der(0x02, [32]), code))
        let pbmac1 = algorithm([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0e], der(0x30, derivation, code))
        let integrity = der(0x30, der(0x30, pbmac1, der(0x04, [UInt8](repeating: 1, count: 32))), salt, der(0x02, [1]))
        let contents = der(
            0x30, der(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]), der(0xa0, der(0x04, der(0x30))))
        let error = #expect(throws: PaymentCryptoOpenSSLError.self) {
            try PKCS12Archive(der: der(0x30, der(0x02, [3]), contents, integrity), password: "000000")
        }
        #expect(error?.rounds == 2_147_483_647)
    }

    /// A reader with so many rounds to spend stops before it has spent them, and says how many the file asks for.
    @Test func roundsAreTakenOffAndEnd() throws {
        var office = try ChainCase.authority()
        let key = PrivateKey.rsa(try RSAPrivateKey(bits: 2048))
        let file = try PKCS12Archive(
            privateKeyDER: key.pkcs8, certificate: try office.merchantCertificate(key.publicKey, identifier: "merchant.example.shop"),
            chain: []
        ).encoded(password: "000000", name: "test")
        func spent(_ password: String, of rounds: Int) -> (Int, PaymentCryptoOpenSSLError?) {
            var left = rounds
            do throws(PaymentCryptoOpenSSLError) {
                _ = try PKCS12Archive(der: file, password: password, rounds: &left)
                return (rounds - left, nil)
            } catch { return (rounds - left, error) }
        }
        let whole = spent("000000", of: 1_000_000)
        // The certificate is opened twice and the key once, at OpenSSL's 2,048 rounds each.
        #expect(whole.1 == nil && whole.0 >= 3 * 2_048)
        #expect(spent("000000", of: whole.0).1 == nil)
        let short = spent("000000", of: whole.0 - 1)
        #expect(short.1?.rounds == whole.0 && short.0 < whole.0)
        let wrong = spent("000001", of: 1_000_000)
        #expect(wrong.1?.code == .wrongPassword && wrong.0 < whole.0)
        #expect(spent("000000", of: 0).1?.rounds != nil)
    }
}
