package org.aspas.emulab.sim.adversary;

import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.tag.RequestTags;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** A Byzantine client in a session: makes words in its name, rightly signed or not, and their tags. */
final class Colluder {
    private static final byte[] NO_TAGS = {};

    private final AdversaryContext context;
    private final Sealer sealer;
    private final ClientId self;
    private @Nullable RequestTags tags;

    /** A client without a session. */
    Colluder(AdversaryContext context, Sealer sealer, ClientId self) {
        this.context = context;
        this.sealer = sealer;
        this.self = self;
    }

    ClientId self() {
        return self;
    }

    /** A session record with a new share; tags are of this session from now on. */
    Signed<ClientSigned> open(long number, int home) {
        AgreementKey key = AgreementKey.of(context.chance().bytes(AgreementShare.LENGTH));
        Signed<ClientSigned> signed =
                sealer.<ClientSigned>seal(new OpenSession(self, number, 0, new OpenSession.Share(key.share(), home)));
        tags = RequestTags.of(key, context.collusion().servers(), sealer.deployment(), signed.identity());
        return signed;
    }

    /** An update of the counter that Byzantine clients use. */
    Signed<ClientSigned> update(long number, int amount) {
        return sealer.<ClientSigned>seal(increment(self, number, "counter/bad", amount));
    }

    static Request increment(ClientId client, long number, String key, int amount) {
        return new Request(
                client, number, key, DataTypes.PN_COUNTER.name(), Operation.of("increment", Value.of(amount)));
    }

    /** The same words under a signature that is none. */
    static <M extends Message> Signed<M> forged(AdversaryContext context, Signed<M> signed) {
        return new Signed<>(signed.message(), signed.payload(), context.chance().bytes(signed.signature().length));
    }

    /** The tags of anything under this client's name, one for each appserver; none without a session. */
    byte[] tags(Signed<? extends ClientSigned> signed) {
        RequestTags known = tags;
        return known == null ? NO_TAGS : known.of(signed);
    }
}
