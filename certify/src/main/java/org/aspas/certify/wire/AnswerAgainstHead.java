package org.aspas.certify.wire;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;

/**
 * A signed answer that names a leaf, and another leaf at that dot under a head that the same server signed: the fork
 * between a client and the other servers, before anything is certified (the protocol page, §4, §8).
 *
 * @param proof its inclusion under the head's root
 */
public record AnswerAgainstHead(Signed<Response> response, Signed<Head> head, Hash leaf, InclusionProof proof)
        implements Evidence {
    @Override
    public Accused accused() {
        return new Accused.Server(response.message().server());
    }

    @Override
    public Kind kind() {
        return Kind.ANSWER_AGAINST_HEAD;
    }
}
