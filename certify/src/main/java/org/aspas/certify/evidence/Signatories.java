package org.aspas.certify.evidence;

import java.util.List;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;

/** Checks that the required servers and clients signed. */
final class Signatories {
    private final List<PublicKey> appservers;
    private final Verifier verifier;

    Signatories(List<PublicKey> appservers, Verifier verifier) {
        this.appservers = List.copyOf(appservers);
        this.verifier = verifier;
    }

    /** Whether the appserver with this index, which may be out of range, signed. */
    boolean appserver(int index, Signed<?> signed, Domain domain) {
        return index >= 0 && index < appservers.size() && signed.verify(verifier, appservers.get(index), domain);
    }

    boolean head(Signed<Head> head) {
        return appserver(head.message().origin(), head, Domain.HEAD);
    }

    boolean request(Signed<? extends ClientSigned> body) {
        ClientSigned message = body.message();
        return body.verify(verifier, message.client().key(), Sealer.domainOf(message));
    }
}
