package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.wire.Sealer;

/**
 * What Byzantine parties have together.
 *
 * @param client signs for a client of theirs
 * @param servers the public halves of the appservers' agreement keys, by index; none where that is not known
 * @param stolen the private key of a correct client's session, by its share, if it is stolen
 */
public record Collusion(
        Sealer client, List<AgreementShare> servers, Function<AgreementShare, Optional<AgreementKey>> stolen) {
    public Collusion {
        servers = List.copyOf(servers);
    }

    /** Nobody colludes: a party is its own client. */
    public static Collusion alone(Sealer self) {
        return new Collusion(self, List.of(), share -> Optional.empty());
    }
}
