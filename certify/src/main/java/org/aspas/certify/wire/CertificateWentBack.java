package org.aspas.certify.wire;

/**
 * Two signed answers of one server to one client, of which the later names a lower certificate (the protocol page, §8).
 *
 * @param earlier the answer with the lower sequence
 * @param later the answer with the higher sequence and the lower certificate number
 */
public record CertificateWentBack(Signed<Response> earlier, Signed<Response> later) implements Evidence {
    static final Schema<CertificateWentBack> SCHEMA = items -> new CertificateWentBack(
            items.of(Response.SIGNED, CertificateWentBack::earlier),
            items.of(Response.SIGNED, CertificateWentBack::later));

    @Override
    public Accused accused() {
        return new Accused.Server(earlier.message().server());
    }
}
