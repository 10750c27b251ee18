package org.aspas.client.api;

import static org.aspas.client.api.LoopbackDeployment.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.ElementsRead;
import org.aspas.client.core.Policy;
import org.aspas.client.net.ServerTrust;
import org.aspas.client.net.Transport;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nothing that an application gives to any public method ends the client or leaves a call open for ever. A method that is added
 * later is called, too.
 */
class HostileCallsTest {
    private static final String LONG = "a".repeat(5000);
    private static final Map<Class<?>, Object> GOOD = new HashMap<>();
    private static final Map<Class<?>, List<Object>> HOSTILE = new HashMap<>();

    static {
        kind(String.class, "c", null, "", "\ud800", "x\udc00", LONG, "\0", "\ufffd");
        kind(long.class, 1L, 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
        kind(int.class, 1, -1, 99, Integer.MIN_VALUE, Integer.MAX_VALUE);
        kind(double.class, 0.5, Double.NaN, -1.0, 2.0, Double.POSITIVE_INFINITY);
        kind(
                Duration.class,
                Duration.ofSeconds(1),
                null,
                Duration.ZERO,
                Duration.ofNanos(1),
                Duration.ofMillis(-1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE));
        kind(Value.class, Value.of("x"), null, nested(50_000), Value.of(LONG), Value.of(new byte[5000]));
        kind(Object.class, "x", null, "\ud800", LONG);
        kind(DataType.class, DataTypes.PN_COUNTER, null, typeOf(null), typeOf("none"), typeOf("\ud800"));
        kind(
                Operation.class,
                Operation.of("increment", Value.of(1)),
                null,
                new Operation(null, List.of()),
                Operation.of("increment"),
                Operation.of("\ud800"),
                Operation.of("increment", nested(50_000)),
                Operation.of("increment", Value.of(LONG)));
        kind(ReadLevel.class, ReadLevel.LOCAL, (Object) null);
        kind(
                ReadPart.class,
                null,
                ReadPart.element(nested(50_000)),
                ReadPart.element(Value.of(LONG)),
                ReadPart.element(Value.of("x")),
                ReadPart.page(Hash.ZERO, CertificateNumber.NONE),
                ReadPart.page(Hash.ZERO, new CertificateNumber(-1)),
                new ReadPart(null, Hash.ZERO, null));
        kind(
                CertificateNumber.class,
                CertificateNumber.NONE,
                null,
                new CertificateNumber(-1),
                new CertificateNumber(Long.MIN_VALUE),
                new CertificateNumber(Long.MAX_VALUE));
        kind(
                ReadResult.class,
                page(null, CertificateNumber.NONE),
                null,
                page(new ElementsRead(1, Hash.ZERO, Hash.ZERO), null),
                page(new ElementsRead(1, Hash.ZERO, Hash.ZERO), new CertificateNumber(-1)));
        Consumer<Object> quiet = any -> {};
        Consumer<Object> throwing = any -> {
            throw new IllegalStateException("the application's");
        };
        Consumer<Object> failing = any -> {
            throw new AssertionError("the application's");
        };
        Consumer<Object> sneaking = any -> sneak(new java.io.IOException("the application's"));
        kind(Consumer.class, quiet, null, throwing, failing, sneaking);
        BiFunction<Integer, Transport, Transport> real = (index, one) -> one;
        BiFunction<Integer, Transport, Transport> none = (index, one) -> null;
        BiFunction<Integer, Transport, Transport> careless = (index, one) -> listener -> {
            throw new IllegalStateException("the application's");
        };
        BiFunction<Integer, Transport, Transport> unconnected = (index, one) -> listener -> null;
        kind(BiFunction.class, real, null, none, careless, unconnected);
        kind(ElementType.class, ElementType.TEXT, (Object) null);
        kind(ClientStateStore.class, null, (Object) null);
        kind(ClientResources.class, ClientResources.shared(), (Object) null);
        kind(ServerTrust.class, ServerTrust.usual(), (Object) null);
        kind(Policy.class, Policy.USUAL, (Object) null);
        kind(Path.class, Path.of("nowhere"), null, Path.of(""));
        kind(Descriptor.class, null, (Object) null);
        kind(SigningKey.class, SigningKey.generate(), (Object) null);
        kind(ClientOptions.class, ClientOptions.defaults(), (Object) null);
    }

    private LoopbackDeployment deployment;
    private AspasClient client;
    /** The scripted server has one client. */
    private LoopbackDeployment others;

    private static void kind(Class<?> type, Object good, Object... hostile) {
        GOOD.put(type, good);
        HOSTILE.put(type, hostile == null ? Arrays.asList((Object) null) : Arrays.asList(hostile));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable what) throws T {
        throw (T) what;
    }

    private static Value nested(int depth) {
        Value value = Value.of(1);
        for (int i = 0; i < depth; i++) {
            value = Value.sequence(List.of(value));
        }
        return value;
    }

    private static DataType typeOf(String name) {
        return (DataType) Proxy.newProxyInstance(
                DataType.class.getClassLoader(), new Class<?>[] {DataType.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("name")) {
                        return name;
                    }
                    throw new IllegalStateException("the application's");
                });
    }

    private static ReadResult<Object> page(ElementsRead elements, CertificateNumber number) {
        return new ReadResult<>(
                java.util.Set.of(), ReadLevel.CERTIFIED, VersionVector.zero(4), number, null, elements, null, 1);
    }

    @BeforeEach
    void deploy() throws Exception {
        deployment = new LoopbackDeployment();
        others = new LoopbackDeployment();
        client = deployment.client(deployment
                .options()
                .withPolicy(Policy.STAY)
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(5))
                .withDeadlines(Duration.ofMillis(500), Duration.ofMillis(500)));
    }

    @AfterEach
    void stop() {
        client.close();
        deployment.close();
        others.close();
    }

    static Stream<Arguments> methods() {
        List<Method> found = new ArrayList<>();
        for (Class<?> type : List.of(
                AspasClient.class,
                Counter.class,
                AddWinsSet.class,
                TypedSet.class,
                ClientOptions.class,
                Tolerance.class)) {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !method.isBridge() && method.getParameterCount() > 0) {
                    found.add(method);
                }
            }
        }
        found.sort(Comparator.comparing(Method::toString));
        return found.stream()
                .map(method -> Arguments.of(
                        method.getDeclaringClass().getSimpleName() + "." + method.getName()
                                + Arrays.stream(method.getParameterTypes())
                                        .map(Class::getSimpleName)
                                        .toList(),
                        method));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void noArgumentEndsTheClient(String name, Method method) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        for (int place = 0; place < types.length; place++) {
            assertThat(HOSTILE).as("hostile values").containsKey(types[place]);
            for (Object hostile : HOSTILE.get(types[place])) {
                Object[] arguments =
                        Arrays.stream(types).map(HostileCallsTest::good).toArray();
                arguments[place] = hostile;
                call(method, arguments);
            }
        }
        Counter after = client.counter("after").within(Duration.ofSeconds(30));
        assertThat(get(after.increment(1).answered()).counter())
                .as("the client still works")
                .hasValue(1);
        assertThat(get(after.get(ReadLevel.LOCAL)).value()).isEqualTo(1);
    }

    private static Object good(Class<?> type) {
        assertThat(GOOD).containsKey(type);
        return GOOD.get(type);
    }

    private Object receiver(Method method) {
        Class<?> type = method.getDeclaringClass();
        if (type == AspasClient.class) {
            return client;
        } else if (type == Counter.class) {
            return client.counter("c");
        } else if (type == AddWinsSet.class) {
            return client.set("s");
        } else if (type == TypedSet.class) {
            return client.set("s", ElementType.TEXT);
        }
        return others.options();
    }

    private void call(Method method, Object... arguments) throws Exception {
        Object result;
        try {
            result = method.invoke(receiver(method), arguments);
        } catch (InvocationTargetException thrown) {
            boolean before =
                    Modifier.isStatic(method.getModifiers()) || method.getDeclaringClass() == ClientOptions.class;
            Class<?> right = before ? IllegalArgumentException.class : AspasException.InvalidCall.class;
            if (!right.isInstance(thrown.getCause()) && !(thrown.getCause() instanceof java.io.IOException)) {
                fail(
                        "%s of %s threw",
                        method.getName(), Arrays.toString(arguments).substring(0, 40), thrown.getCause());
            }
            return;
        }
        end(result);
    }

    private void end(Object result) throws Exception {
        if (result instanceof Optional<?> some && some.isPresent()) {
            end(some.get());
        } else if (result instanceof Update update) {
            end(update.answered());
            end(update.confirmed());
        } else if (result instanceof CompletionStage<?> stage) {
            try {
                stage.toCompletableFuture().get(300, TimeUnit.SECONDS);
            } catch (ExecutionException failed) {
                assertThat(failed.getCause())
                        .isInstanceOf(AspasException.class)
                        .isNotInstanceOf(AspasException.ClientBroken.class);
            }
        } else if (result instanceof Flow.Publisher<?> publisher) {
            assertThatThrownBy(() -> publisher.subscribe(null)).isInstanceOf(NullPointerException.class);
        } else if (result instanceof ClientOptions options) {
            ClientOptions bounded = options.withDeadlines(Duration.ofMillis(200), Duration.ofMillis(200));
            try (AspasClient other = others.client(bounded)) {
                end(other.counter("c").increment(1));
            } catch (IllegalArgumentException said) {
                assertThat(said).hasMessageNotContaining("Exception");
            }
        }
    }

    @Test
    void theKeysOfTheVectorsAreTakenOrRefusedAtTheCall() throws Exception {
        int cases = 0;
        for (JsonNode one : vectors("keys")) {
            String key = text(one);
            if (key == null && !one.path("json").isNull()) {
                continue; // Java has types, and bytes are no text here.
            }
            cases++;
            if (one.get("valid").booleanValue()) {
                long counted = get(client.counter(key).increment(1).answered())
                        .counter()
                        .orElseThrow();
                assertThat(counted).as(one.get("name").textValue()).isEqualTo(1);
            } else {
                assertThatThrownBy(() -> client.counter(key))
                        .as(one.get("name").textValue())
                        .isInstanceOf(AspasException.InvalidCall.class);
                assertThatThrownBy(() -> client.read(key, DataTypes.PN_COUNTER, ReadLevel.LOCAL))
                        .as(one.get("name").textValue())
                        .isInstanceOf(AspasException.InvalidCall.class);
            }
        }
        assertThat(cases).isGreaterThan(50);
    }

    @Test
    void theElementsOfTheVectorsAreTakenOrRefusedAtTheCall() throws Exception {
        AddWinsSet set = client.set("s");
        for (JsonNode one : vectors("elements")) {
            String element = text(one);
            if (element != null && one.get("valid").booleanValue()) {
                end(set.contains(element, ReadLevel.LOCAL));
            } else if (element != null) {
                assertThatThrownBy(() -> set.add(element)).isInstanceOf(AspasException.InvalidCall.class);
                assertThatThrownBy(() -> set.remove(element)).isInstanceOf(AspasException.InvalidCall.class);
                assertThatThrownBy(() -> set.contains(element, ReadLevel.LOCAL))
                        .isInstanceOf(AspasException.InvalidCall.class);
            }
        }
    }

    @Test
    void theNamesOfTheVectorsAreTakenOrRefused() throws Exception {
        Path folder = Files.createTempDirectory("names");
        deployment.write(folder);
        for (JsonNode one : vectors("clientNames")) {
            String name = text(one);
            if (name != null && one.get("valid").booleanValue()) {
                AspasClient.connect(folder, name, deployment.options()).close();
            } else if (name != null) {
                assertThatThrownBy(() -> AspasClient.connect(folder, name, deployment.options()))
                        .as(one.get("name").textValue())
                        .isInstanceOf(java.io.IOException.class);
            }
        }
    }

    /** The calls that meet the end of the shared resources fail, as all later ones do. */
    @Test
    void whoeverClosesTheResourcesFirstLeavesNoCallOpen() throws Exception {
        get(client.ready());
        deployment.resources.close();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> get(client.counter("c").increment(1).answered()))
                    .hasCauseInstanceOf(AspasException.ClientClosed.class);
        }
    }

    private static JsonNode vectors(String name) throws Exception {
        return new ObjectMapper()
                .readTree(Files.readAllBytes(Path.of("../docs/vectors/texts.json")))
                .get(name);
    }

    private static String text(JsonNode one) {
        if (one.has("text")) {
            return one.get("text").textValue();
        }
        JsonNode repeat = one.get("repeat");
        return repeat == null
                ? null
                : repeat.get(0).textValue().repeat(repeat.get(1).intValue());
    }
}
