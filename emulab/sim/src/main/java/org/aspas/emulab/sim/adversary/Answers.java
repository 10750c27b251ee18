package org.aspas.emulab.sim.adversary;

import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Changes answers and signs them again with the server's own key. */
final class Answers {
    private final Sealer sealer;

    Answers(Sealer sealer) {
        this.sealer = sealer;
    }

    /** A response under change. */
    static final class Edit {
        private final Response response;
        private Value result;
        private Hash leaf;
        private CertificateNumber certificate;
        private Hash digest;

        Edit(Response response) {
            this.response = response;
            this.result = response.result();
            this.leaf = response.leaf();
            this.certificate = response.certificate();
            this.digest = response.certificateDigest();
        }

        Edit result(Value changed) {
            result = changed;
            return this;
        }

        Edit leaf(Hash changed) {
            leaf = changed;
            return this;
        }

        Edit certificate(CertificateNumber changed) {
            certificate = changed;
            return this;
        }

        /** Names this certificate, as a correct server would. */
        Edit naming(Certificate named) {
            certificate = named.number();
            digest = Digests.certificate(named);
            return this;
        }

        Response done() {
            return new Response(
                    response.server(),
                    response.sequence(),
                    response.client(),
                    response.reference(),
                    result,
                    response.dot(),
                    leaf,
                    response.version(),
                    response.roots(),
                    certificate,
                    digest);
        }
    }

    static Edit edit(Answer answer) {
        return new Edit(answer.response().message());
    }

    Answer changed(Answer answer, Edit edit) {
        return new Answer(sealer.seal(edit.done()), answer.certificate(), answer.proof());
    }

    /** The answer without its certificate. */
    Answer bare(Answer answer) {
        return new Answer(answer.response(), null, answer.proof());
    }

    Answer with(Answer answer, @Nullable Certificate certificate) {
        return new Answer(answer.response(), certificate, answer.proof());
    }
}
