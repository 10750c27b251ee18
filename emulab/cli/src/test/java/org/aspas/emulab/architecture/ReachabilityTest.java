package org.aspas.emulab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.aspas.emulab.cli.Aspas;
import org.junit.jupiter.api.Test;

/** What stands in src/main is there for somebody: a command runs it, or an application calls it. */
class ReachabilityTest {
    /** What applications call. */
    private static final String API = "org.aspas.client.api";

    /** The launcher's configuration of Logback, which makes what it names. */
    private static final String LOGGING = logging();

    private final JavaClasses product =
            new ClassFileImporter(Set.of(new ImportOption.DoNotIncludeTests())).importPackages("org.aspas");

    @Test
    void everyClassIsReachedFromACommandOrTheApi() {
        Set<String> reached = reached();
        assertThat(product.stream()
                        .map(ReachabilityTest::outermost)
                        .filter(candidate -> !isConstants(candidate))
                        .map(JavaClass::getName)
                        .filter(name -> !reached.contains(name))
                        .filter(name -> !name.endsWith("package-info"))
                        .distinct())
                .as("classes that only tests use")
                .isEmpty();
    }

    private Set<String> reached() {
        Set<String> reached = new TreeSet<>();
        ArrayDeque<JavaClass> next = new ArrayDeque<>();
        product.stream().filter(ReachabilityTest::isRoot).forEach(next::add);
        while (!next.isEmpty()) {
            JavaClass one = outermost(next.remove());
            if (reached.add(one.getName())) {
                product.stream()
                        .filter(part -> outermost(part).equals(one))
                        .flatMap(ReachabilityTest::used)
                        .forEach(next::add);
            }
        }
        return reached;
    }

    private static boolean isRoot(JavaClass candidate) {
        return candidate.getPackageName().equals(API)
                || candidate.tryGetMethod("main", String[].class).isPresent()
                || isYcsbBinding(candidate)
                || LOGGING.contains("class=\"" + candidate.getName() + "\"");
    }

    private static String logging() {
        try (InputStream in = Objects.requireNonNull(Aspas.class.getResourceAsStream("/logback.xml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** YCSB makes such a class by the name on its command line. */
    private static boolean isYcsbBinding(JavaClass candidate) {
        return candidate.isAssignableTo("site.ycsb.DB")
                && candidate.getConstructors().stream()
                        .anyMatch(made -> made.getRawParameterTypes().isEmpty()
                                && made.getModifiers().contains(JavaModifier.PUBLIC));
    }

    /** The compiler copies constants to where they are used, and leaves no trace of where from. */
    private static boolean isConstants(JavaClass candidate) {
        return candidate.getMethods().isEmpty()
                && !candidate.getFields().isEmpty()
                && candidate.getFields().stream()
                        .allMatch(field ->
                                field.getModifiers().containsAll(Set.of(JavaModifier.STATIC, JavaModifier.FINAL)));
    }

    private static Stream<JavaClass> used(JavaClass by) {
        return by.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .map(JavaClass::getBaseComponentType)
                .filter(used -> used.getPackageName().startsWith("org.aspas"));
    }

    private static JavaClass outermost(JavaClass part) {
        return part.getEnclosingClass().map(ReachabilityTest::outermost).orElse(part);
    }
}
