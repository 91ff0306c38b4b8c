import BillfoldDiagnosis
package import BillfoldPayments
import Crypto

extension DataFolder {
    /// What links the rows of every audit chain; its key lies here, outside the store.
    package func auditChain() throws -> AuditChain { AuditChain(key: SymmetricKey(data: try symmetric("audit").reveal())) }

    /// The trail of what operators of the installation did.
    package func operatorAudit() throws -> ChainedOperatorAudit {
        ChainedOperatorAudit(links: try auditChain(), owner: try MerchantID("installation"))
    }
}
