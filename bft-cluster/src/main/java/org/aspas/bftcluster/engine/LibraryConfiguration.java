package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.util.HostsConfig;
import bftsmart.reconfiguration.util.TOMConfiguration;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Properties;

/** The library's settings, all of them in code. */
public final class LibraryConfiguration {
    /** RFC 3526 §3, the 2048-bit MODP group, in hexadecimal; its generator is 2. */
    private static final String MODP_GROUP_14 = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD1"
            + "29024E088A67CC74020BBEA63B139B22514A08798E3404DD"
            + "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245"
            + "E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
            + "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3D"
            + "C2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
            + "83655D23DCA3AD961C62F356208552BB9ED529077096966D"
            + "670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
            + "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9"
            + "DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
            + "15728E5A8AACAA68FFFFFFFFFFFFFFFF";

    /** The prime of the group in which replicas agree on keys. */
    public static final BigInteger GROUP_PRIME = new BigInteger(MODP_GROUP_14, 16);

    public static final BigInteger GROUP_GENERATOR = BigInteger.TWO;

    private LibraryConfiguration() {}

    static TOMConfiguration of(
            int replica, List<InetSocketAddress> addresses, int b, ReplicaOptions options, PinnedRsaKeys keys) {
        HostsConfig hosts = new HostsConfig();
        for (int i = 0; i < addresses.size(); i++) {
            hosts.add(i, addresses.get(i).getHostString(), addresses.get(i).getPort());
        }
        TOMConfiguration configuration = new TOMConfiguration(replica, properties(addresses.size(), b, options), hosts);
        configuration.setRsaLoader(keys);
        return configuration;
    }

    private static Properties properties(int n, int b, ReplicaOptions options) {
        Properties p = new Properties();
        p.setProperty("system.servers.num", Integer.toString(n));
        p.setProperty("system.servers.f", Integer.toString(b));
        p.setProperty("system.bft", "true");
        p.setProperty("system.diffie-hellman.p", MODP_GROUP_14);
        p.setProperty("system.diffie-hellman.g", "2");
        p.setProperty("system.communication.useMACs", "1");
        // Client signatures of the library add unverified bytes; commands carry their own signatures.
        p.setProperty("system.communication.useSignatures", "0");
        p.setProperty("system.communication.useSenderThread", "true");
        p.setProperty("system.communication.defaultkeys", "false");
        p.setProperty("system.totalordermulticast.timeout", Integer.toString(options.requestTimeoutMillis()));
        p.setProperty("system.totalordermulticast.maxbatchsize", Integer.toString(options.maxBatch()));
        p.setProperty("system.totalordermulticast.checkpoint_period", Integer.toString(options.checkpointPeriod()));
        p.setProperty("system.totalordermulticast.state_transfer", "true");
        p.setProperty("system.totalordermulticast.log", "true");
        p.setProperty("system.totalordermulticast.log_to_disk", "false");
        p.setProperty("system.totalordermulticast.checkpoint_to_disk", "false");
        p.setProperty("system.shutdownhook", "false");
        p.setProperty("system.numrepliers", "0");
        p.setProperty("system.numnettyworkers", "1");
        p.setProperty("system.debug", "0");
        return p;
    }
}
