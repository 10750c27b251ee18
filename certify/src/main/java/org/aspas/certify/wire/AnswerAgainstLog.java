package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;

/**
 * A signed answer that names a leaf, and another leaf at that dot in the certified log (the protocol page, §8).
 *
 * @param certificate a certificate that covers the answer's dot
 * @param proof its inclusion under the certificate's root of the answer's origin
 */
public record AnswerAgainstLog(Signed<Response> response, Certificate certificate, Hash leaf, InclusionProof proof)
        implements Evidence {
    static final Schema<AnswerAgainstLog> SCHEMA = items -> new AnswerAgainstLog(
            items.of(Response.SIGNED, AnswerAgainstLog::response),
            items.of(Certificate.ITEM, AnswerAgainstLog::certificate),
            items.hash(AnswerAgainstLog::leaf),
            items.inclusion(AnswerAgainstLog::proof));

    @Override
    public Accused accused() {
        return new Accused.Server(response.message().server());
    }
}
