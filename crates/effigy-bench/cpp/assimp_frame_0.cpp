// Seconds that assimp needs to import the first frame of all files given, from memory, best of twenty rounds.
#include <assimp/Importer.hpp>
#include <assimp/scene.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

int main(int count, char **names) {
    std::vector<std::string> files;
    for (int index = 1; index < count; ++index) {
        std::ifstream file(names[index], std::ios::binary);
        files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    double best = 1e9;
    Assimp::Importer importer;
    for (int round = 0; round < 20; ++round) {
        auto start = std::chrono::steady_clock::now();
        for (const std::string &file : files) {
            importer.ReadFileFromMemory(file.data(), file.size(), 0, "mdc");
            importer.FreeScene();
        }
        std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count());
    }
    std::cout << best << '\n';
}
