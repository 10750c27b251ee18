package org.aspas.certify.wire;

/** Any message of the protocol. Implementations are immutable records. */
public sealed interface Message
        permits ClientSigned,
                ClientQuestion,
                Response,
                Answer,
                Refusal,
                Read,
                TaggedRequest,
                Hello,
                Confirmation,
                GetCertificate,
                CertificateReply,
                CertifiedEntries,
                Head,
                Entry,
                Batch,
                Frontier,
                Pull,
                SnapshotPart,
                VertObft,
                BftReqStable,
                Stable,
                Tick,
                Accept,
                CertificateContent,
                Share,
                Certificate,
                Commit,
                Recover,
                ProvenContent,
                Standing,
                InspectReply,
                Evidence,
                Blacklist,
                Verdict {
    /** Which message this is; also the first item of its encoding. */
    default Kind kind() {
        return Kind.of(this);
    }
}
