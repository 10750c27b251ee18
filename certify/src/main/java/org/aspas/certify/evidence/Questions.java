package org.aspas.certify.evidence;

import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;

/** Whether an answer is that to a question. Pure; thread-safe. */
public final class Questions {
    private Questions() {}

    /**
     * Whether a RESPONSE, by what its server signed, answers this update or read and no other. Signatures are not
     * verified.
     */
    public static boolean answers(Response response, Question question) {
        Signed<Request> update = question.update();
        if (update != null) {
            return answersUpdate(response, update);
        }
        Read read = question.read();
        return read != null
                && response.dot() == null
                && response.reference() == read.nonce()
                && response.leaf().equals(Digests.read(read));
    }

    @SuppressWarnings("unchecked") // A Request is a ClientSigned, and Signed only hands it out.
    private static boolean answersUpdate(Response response, Signed<? extends ClientSigned> update) {
        Dot dot = response.dot();
        Request request = (Request) update.message();
        if (dot == null
                || dot.origin() != response.server()
                || dot.origin() >= response.version().size()
                || response.version().get(dot.origin()) != dot.sequence()
                || !request.client().equals(response.client())
                || request.number() != response.reference()) {
            return false;
        }
        Entry entry = new Entry(
                dot, response.version().with(dot.origin(), dot.sequence() - 1), (Signed<ClientSigned>) update);
        return MerkleTree.leafHash(Codec.encode(entry)).equals(response.leaf());
    }
}
